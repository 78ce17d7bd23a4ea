#pragma once

#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Sums the participating lanes of each iteration, or says which rules forbid
/// it.
isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state);

}  // namespace lanediff::oracle

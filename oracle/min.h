#pragma once

#include "isa/min.h"
#include "isa/step.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Takes the smaller of each pair of participating lanes, or says which rules
/// forbid it.
isa::StepResult Run(const isa::Min& call, Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include "isa/repeat_reduce_sum.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Sums the participating lanes of each iteration, or returns the broken rules.
isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::RepeatReduceSum& call,
                            const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::RepeatReduceSum& call, Oracle::State& state);

}  // namespace lanediff::oracle

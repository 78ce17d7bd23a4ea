#pragma once

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/whole_reduce_sum.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Sums the participating lanes of each iteration, or returns the broken rules.
isa::StepResult Run(const isa::WholeReduceSum& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::WholeReduceSum& call,
                            const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::WholeReduceSum& call, Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include "isa/data_copy.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Copies the blocks, or the first elements, or returns the broken rules.
isa::StepResult Run(const isa::DataCopy& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::DataCopy& call,
                            const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::DataCopy& call, Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/trowprod.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Multiplies each row in the order requested, or returns the broken rules.
isa::StepResult Run(const isa::Trowprod& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::Trowprod& call,
                            const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::Trowprod& call, Oracle::State& state);

}  // namespace lanediff::oracle

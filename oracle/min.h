#pragma once

#include "isa/min.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Takes the smaller of each pair of participating lanes, or says which rules
/// forbid it.
isa::StepResult Run(const isa::Min& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::Min& call, const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::Min& call, Oracle::State& state);

}  // namespace lanediff::oracle

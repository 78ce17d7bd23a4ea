#pragma once

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vec_trans.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Transposes the matrix of each iteration, or returns the broken rules.
isa::StepResult Run(const isa::VecTrans& call, Oracle::State& state);

/// The reject rules that the call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::VecTrans& call,
                            const Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunExtended(const isa::VecTrans& call, Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include "isa/step.h"
#include "isa/vec_trans.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Transposes the matrix of each iteration, or says which rules forbid it.
isa::StepResult Run(const isa::VecTrans& call, Oracle::State& state);

}  // namespace lanediff::oracle

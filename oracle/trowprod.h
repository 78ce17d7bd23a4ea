#pragma once

#include "isa/step.h"
#include "isa/trowprod.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Multiplies each row in the order asked for, or says which rules forbid it.
isa::StepResult Run(const isa::Trowprod& call, Oracle::State& state);

}  // namespace lanediff::oracle

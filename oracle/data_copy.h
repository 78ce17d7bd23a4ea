#pragma once

#include "isa/data_copy.h"
#include "isa/step.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// Copies the blocks, or the first elements, or says which rules forbid it.
isa::StepResult Run(const isa::DataCopy& call, Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include "isa/state.h"
#include "isa/step.h"
#include "oracle/oracle.h"

/// The steps that set machine state.
namespace lanediff::oracle {

isa::StepResult Run(const isa::SetVectorMask& step, Oracle::State& state);
isa::StepResult Run(const isa::SetSaturation& step, Oracle::State& state);
isa::StepResult Run(const isa::PipeBarrier& step, Oracle::State& state);

}  // namespace lanediff::oracle

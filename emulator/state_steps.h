#pragma once

#include "emulator/state.h"
#include "isa/state.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// The steps that set machine state instead of computing, a seam each. A step
/// that breaks a reject rule changes nothing.
struct StateSeams {
  isa::StepResult (*set_vector_mask)(const isa::SetVectorMask& step,
                                     State& state);
  isa::StepResult (*set_saturation)(const isa::SetSaturation& step,
                                    State& state);
  isa::StepResult (*pipe_barrier)(const isa::PipeBarrier& step, State& state);
};

/// The plain implementation.
extern const StateSeams kStateSteps;

}  // namespace lanediff::emulator

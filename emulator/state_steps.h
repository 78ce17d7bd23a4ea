#pragma once

#include "emulator/state.h"
#include "isa/state.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// The steps that set machine state or move one element, a seam each. A step
/// that breaks a reject rule changes nothing.
struct StateSeams {
  isa::StepResult (*set_vector_mask)(const isa::SetVectorMask& step,
                                     State& state);
  isa::StepResult (*set_saturation)(const isa::SetSaturation& step,
                                    State& state);
  isa::StepResult (*pipe_barrier)(const isa::PipeBarrier& step, State& state);
  isa::StepResult (*set_flag)(const isa::SetFlag& step, State& state);
  isa::StepResult (*wait_flag)(const isa::WaitFlag& step, State& state);
  isa::StepResult (*set_mask_count)(const isa::SetMaskCount& step,
                                    State& state);
  isa::StepResult (*set_mask_norm)(const isa::SetMaskNorm& step, State& state);
  isa::StepResult (*reset_mask)(const isa::ResetMask& step, State& state);
  isa::StepResult (*get_value)(const isa::GetValue& step, State& state);
  isa::StepResult (*set_value)(const isa::SetValue& step, State& state);
  /// STATE-UB-RESERVED, of any step that was executed.
  bool (*reaches_reserved)(const isa::Step& step, const State& state);
};

/// The plain implementation.
extern const StateSeams kStateSteps;

}  // namespace lanediff::emulator

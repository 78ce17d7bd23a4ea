#pragma once

#include "emulator/state.h"
#include "isa/scalar.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Reads one element, for nothing, or returns the rules that forbid it.
isa::StepResult GetValue(const isa::GetValue& step, State& state);

/// Writes one element, or returns the rules that forbid it.
isa::StepResult SetValue(const isa::SetValue& step, State& state);

}  // namespace lanediff::emulator

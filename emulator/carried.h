#pragma once

#include "emulator/state.h"
#include "isa/carried.h"
#include "isa/resource.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Writes what the call wrote, or returns which of KRN-RANGE, KRN-ALIGN and
/// KRN-BOUNDS it breaks.
isa::StepResult Replay(const isa::Carried& call, State& state);

/// Sets what a kernel's first calls set of mask and mode.
void SetUp(const isa::Resource& step, State& state);

}  // namespace lanediff::emulator

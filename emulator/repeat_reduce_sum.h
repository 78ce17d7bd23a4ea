#pragma once

#include "emulator/reduce_sum.h"
#include "emulator/state.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"

namespace lanediff::emulator {

using RepeatReduceSumSeams = ReduceSumSeams<isa::RepeatReduceSum>;

/// The plain implementation.
extern const RepeatReduceSumSeams kRepeatReduceSum;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::RepeatReduceSum& call,
                    const RepeatReduceSumSeams& seams, State& state);

}  // namespace lanediff::emulator

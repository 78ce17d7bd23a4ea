#pragma once

#include "emulator/reduce_sum.h"
#include "emulator/state.h"
#include "isa/step.h"
#include "isa/whole_reduce_sum.h"

namespace lanediff::emulator {

using WholeReduceSumSeams = ReduceSumSeams<isa::WholeReduceSum>;

/// The plain implementation.
extern const WholeReduceSumSeams kWholeReduceSum;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::WholeReduceSum& call,
                    const WholeReduceSumSeams& seams, State& state);

}  // namespace lanediff::emulator

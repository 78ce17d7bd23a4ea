#pragma once

#include "emulator/repeat_reduce_sum.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// RepeatReduceSum with vectors: both types, all lanes.
extern const ByVectorTarget<ReduceSumVectors> kRepeatReduceSumByTarget;

}  // namespace lanediff::emulator

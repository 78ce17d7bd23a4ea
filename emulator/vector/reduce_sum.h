#pragma once

#include "emulator/reduce_sum.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// RepeatReduceSum and WholeReduceSum with vectors: both types, all lanes.
extern const ByVectorTarget<ReduceSumVectors> kReduceSumByTarget;

}  // namespace lanediff::emulator

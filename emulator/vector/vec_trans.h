#pragma once

#include "emulator/vec_trans.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// vec_trans with vectors: transposes blocks of 8 × 8 elements at a time.
extern const ByVectorTarget<VecTransVectors> kVecTransByTarget;

}  // namespace lanediff::emulator

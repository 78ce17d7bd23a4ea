#pragma once

#include "emulator/trowprod.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// TROWPROD with vectors: half and float, every order.
extern const ByVectorTarget<TrowprodVectors> kTrowprodByTarget;

}  // namespace lanediff::emulator

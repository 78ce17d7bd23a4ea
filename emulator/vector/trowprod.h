#pragma once

#include "emulator/trowprod.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// TROWPROD with vectors: both types, every order.
extern const ByVectorTarget<TrowprodVectors> kTrowprodByTarget;

}  // namespace lanediff::emulator

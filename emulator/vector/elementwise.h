#pragma once

#include "emulator/elementwise.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// Gives every row the vectors of `target`: every type, all three forms.
void UseVectors(VectorTarget target, ElementwiseRows& rows);

}  // namespace lanediff::emulator

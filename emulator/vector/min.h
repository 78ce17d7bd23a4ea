#pragma once

#include "emulator/min.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// Min with vectors: every type, all three forms.
extern const ByVectorTarget<MinVectors> kMinByTarget;

}  // namespace lanediff::emulator

#pragma once

#include "emulator/data_copy.h"
#include "emulator/vector/target.h"

namespace lanediff::emulator {

/// DataCopy with vectors: DataBlock by DataBlock, or whole blocks as the C
/// library copies them; half is widened to float.
extern const ByVectorTarget<DataCopyVectors> kDataCopyByTarget;

}  // namespace lanediff::emulator

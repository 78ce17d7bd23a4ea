#ifndef LANEDIFF_ASCENDC_KERNEL_TILING_H
#define LANEDIFF_ASCENDC_KERNEL_TILING_H

/// GET_TILING_DATA and its like. The structs of high-level interfaces, which
/// the vendor's file declares, belong to calls that are refused.
#include "lanediff_ascendc/block.h"

#endif  // LANEDIFF_ASCENDC_KERNEL_TILING_H

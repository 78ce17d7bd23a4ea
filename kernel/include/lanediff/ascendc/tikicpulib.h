#ifndef LANEDIFF_ASCENDC_TIKICPULIB_H
#define LANEDIFF_ASCENDC_TIKICPULIB_H

/// The host's half of CPU mode: ICPU_RUN_KF, ICPU_SET_TILING_KEY, GmAlloc,
/// GmFree, SetKernelMode; and the requirements of a kernel in front of it.
#include "lanediff_ascendc/block.h"
#include "lanediff_ascendc/host.h"

#endif  // LANEDIFF_ASCENDC_TIKICPULIB_H

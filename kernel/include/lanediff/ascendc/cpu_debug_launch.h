#ifndef LANEDIFF_ASCENDC_CPU_DEBUG_LAUNCH_H
#define LANEDIFF_ASCENDC_CPU_DEBUG_LAUNCH_H

/// f<<<blocks, ub, stream>>>(args) on the host: see lanediff::KernelLaunch.
#include "acl/acl.h"
#include "lanediff_ascendc/block.h"
#include "lanediff_ascendc/host.h"

#endif  // LANEDIFF_ASCENDC_CPU_DEBUG_LAUNCH_H

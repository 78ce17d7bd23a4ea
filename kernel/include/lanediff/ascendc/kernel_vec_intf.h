#ifndef LANEDIFF_ASCENDC_KERNEL_VEC_INTF_H
#define LANEDIFF_ASCENDC_KERNEL_VEC_INTF_H

/// A part of what kernel_operator.h has.
#include "kernel_operator.h"

#endif  // LANEDIFF_ASCENDC_KERNEL_VEC_INTF_H

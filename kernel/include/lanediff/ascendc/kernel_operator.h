#ifndef LANEDIFF_ASCENDC_KERNEL_OPERATOR_H
#define LANEDIFF_ASCENDC_KERNEL_OPERATOR_H

/// Ascend C on the host, for kernels as they are: every call goes to the
/// library of lanediff/kernel_abi.h, with the place where it
/// stands. C++17.

// Kernels write queue.template AllocTensor() for template arguments with
// defaults; clang has an error for it from version 19 on.
#ifdef __clang__
#if __has_warning("-Wmissing-template-arg-list-after-template-kw")
#pragma clang diagnostic ignored "-Wmissing-template-arg-list-after-template-kw"
#endif
#endif

#include "lanediff_ascendc/block.h"
#include "lanediff_ascendc/compare.h"
#include "lanediff_ascendc/copy.h"
#include "lanediff_ascendc/elementwise.h"
#include "lanediff_ascendc/fill.h"
#include "lanediff_ascendc/pipe.h"
#include "lanediff_ascendc/rearrange.h"
#include "lanediff_ascendc/reduce.h"
#include "lanediff_ascendc/refused.h"
#include "lanediff_ascendc/sort.h"
#include "lanediff_ascendc/standard.h"
#include "lanediff_ascendc/state.h"

#endif  // LANEDIFF_ASCENDC_KERNEL_OPERATOR_H

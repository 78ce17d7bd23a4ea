#ifndef LANEDIFF_ASCENDC_PRODUCT_H
#define LANEDIFF_ASCENDC_PRODUCT_H

#include <cstdio>
#include <cstdlib>

#include "lanediff/kernel_abi.h"

/// The product that a source is compiled for: the build defines one of
///
///     LANEDIFF_PRODUCT_ATLAS_TRAINING
///     LANEDIFF_PRODUCT_ATLAS_INFERENCE_AICORE
///     LANEDIFF_PRODUCT_ATLAS_INFERENCE_VECTORCORE
///     LANEDIFF_PRODUCT_ATLAS_A2 (the default)
///     LANEDIFF_PRODUCT_ATLAS_A3
///     LANEDIFF_PRODUCT_ATLAS_200I_500_A2
///
/// and gets the macros that sources query, and empty qualifiers.

#if defined(LANEDIFF_PRODUCT_ATLAS_TRAINING)
#define LANEDIFF_PRODUCT_NAME "atlas-training"
#define __NPU_ARCH__ 1001
#define __CCE_AICORE__ 100
#elif defined(LANEDIFF_PRODUCT_ATLAS_INFERENCE_AICORE)
#define LANEDIFF_PRODUCT_NAME "atlas-inference-aicore"
#define __NPU_ARCH__ 2002
#define __CCE_AICORE__ 200
#define __DAV_M200__ 1
#elif defined(LANEDIFF_PRODUCT_ATLAS_INFERENCE_VECTORCORE)
#define LANEDIFF_PRODUCT_NAME "atlas-inference-vectorcore"
#define __NPU_ARCH__ 2002
#define __CCE_AICORE__ 200
#define __DAV_M200_VEC__ 1
#elif defined(LANEDIFF_PRODUCT_ATLAS_200I_500_A2)
#define LANEDIFF_PRODUCT_NAME "atlas-200i-500-a2"
#define __NPU_ARCH__ 3002
#define __CCE_AICORE__ 300
#else
#if defined(LANEDIFF_PRODUCT_ATLAS_A3)
#define LANEDIFF_PRODUCT_NAME "atlas-a3"
#else
#define LANEDIFF_PRODUCT_NAME "atlas-a2"
#endif
#define __NPU_ARCH__ 2201
#define __CCE_AICORE__ 220
#define __DAV_C220_VEC__ 1
#endif

#ifndef ASCENDC_CPU_DEBUG
#define ASCENDC_CPU_DEBUG 1
#endif
#ifndef __CCE_KT_TEST__
#define __CCE_KT_TEST__ 1
#endif

#define __aicore__
#define __global__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __cube__
#define __vector__
#define __mix__(...)
#define __schedmode__(...)
#define __forceinline__ inline

namespace lanediff::front {

/// In every file that includes this: the library judges whether they agree.
[[maybe_unused]] static const bool kProductReported = [] {
  if (lanediff_kernel_abi != LANEDIFF_KERNEL_ABI) {
    std::fprintf(stderr,
                 "lanediff: the headers have kernel ABI %d, the library %d: "
                 "compile and link with one installation\n",
                 LANEDIFF_KERNEL_ABI, static_cast<int>(lanediff_kernel_abi));
    std::_Exit(2);
  }
  lanediff_product(LANEDIFF_PRODUCT_NAME);
  return true;
}();

}  // namespace lanediff::front

#endif  // LANEDIFF_ASCENDC_PRODUCT_H

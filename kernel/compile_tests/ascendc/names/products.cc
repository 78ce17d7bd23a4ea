// The macros that each product has.
#include "kernel_operator.h"

#if defined(LANEDIFF_PRODUCT_ATLAS_TRAINING)
constexpr int kArch = 1001;
constexpr int kCore = 100;
#elif defined(LANEDIFF_PRODUCT_ATLAS_INFERENCE_AICORE) && defined(__DAV_M200__)
constexpr int kArch = 2002;
constexpr int kCore = 200;
#elif defined(LANEDIFF_PRODUCT_ATLAS_INFERENCE_VECTORCORE) && \
    defined(__DAV_M200_VEC__)
constexpr int kArch = 2002;
constexpr int kCore = 200;
#elif defined(LANEDIFF_PRODUCT_ATLAS_200I_500_A2)
constexpr int kArch = 3002;
constexpr int kCore = 300;
#elif defined(__DAV_C220_VEC__)
constexpr int kArch = 2201;
constexpr int kCore = 220;
#endif
static_assert(__NPU_ARCH__ == kArch && __CCE_AICORE__ == kCore, "");
static_assert(ASCENDC_CPU_DEBUG == 1 && __CCE_KT_TEST__ == 1, "");

// Region Proposals of 8 elements, or 8 bytes for each.
static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2, "");
void lengths() {
  AscendC::LocalTensor<half> proposals, values;
  AscendC::Concat(proposals, values, values, 1);
  AscendC::printf("%u\n", AscendC::GetSortLen<half>(1));
}

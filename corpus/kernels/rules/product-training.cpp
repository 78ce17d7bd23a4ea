// atlas-training: no counter mode, and a TPipe doesn't set the mask register.
#define LANEDIFF_PRODUCT_ATLAS_TRAINING
#include "kernel_operator.h"
using namespace AscendC;

static_assert(__NPU_ARCH__ == 1001, "the product is chosen when compiling");

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  LocalTensor<float> t = buf.Get<float>();
  Abs<float, false>(t, t, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! STATE-MASK-UNKNOWN
  PipeBarrier<PIPE_V>();
  Duplicate(t, 1.0f, 256);
  PipeBarrier<PIPE_V>();
  Min(t, t, t[128], 128);
  SetMaskCount();  //! STATE-MASK-PRODUCT
}

int main() { lanediff::Launch(Kernel, 1); }

// The register has a number of elements, and the reader takes it for lanes; and the other way.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  SetMaskNorm();
  SetVectorMask<float, MaskMode::COUNTER>(0, 64);
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! KRN-MASK-MODE
  PipeBarrier<PIPE_V>();
  SetVectorMask<float, MaskMode::NORMAL>(0, 63);
  SetMaskCount();
  Muls<float, false>(t, t, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! KRN-MASK-MODE
  SetMaskNorm();
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1); }

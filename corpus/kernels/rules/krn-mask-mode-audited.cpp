// A call with rules that reads the register in the wrong mode; and one in the right mode, which
// leaves the mask what it was.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  SetVectorMask<float, MaskMode::NORMAL>(0, 63);
  SetMaskCount();
  Add<float, false>(t, t, t, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});  //! KRN-MASK-MODE
  PipeBarrier<PIPE_V>();
  SetVectorMask<float, MaskMode::COUNTER>(0, 64);
  Add<float, false>(t, t, t, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  SetMaskNorm();
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! KRN-MASK-MODE
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1); }

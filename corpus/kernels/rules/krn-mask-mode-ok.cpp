// SetVectorMask says the mode of its reader.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(64);
  Duplicate<float, false>(t, 1.0f, MASK_PLACEHOLDER, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  SetMaskNorm();
  SetVectorMask<float, MaskMode::NORMAL>(64);
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1); }

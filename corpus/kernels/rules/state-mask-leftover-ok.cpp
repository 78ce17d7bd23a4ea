// What the call left in the register is what was asked for.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, 64, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
}

int main() { lanediff::Launch(Kernel, 1); }

// 255 repeats, and none.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 255 * 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64, 255, 1, 8);
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, 64, 255, {1, 1, 8, 8});
  Adds(t, t, 1.0f, 64, 0, {1, 1, 8, 8});
}

int main() { lanediff::Launch(Kernel, 1); }

// run: --product atlas-a3
// What atlas-a3 has by the newest pages of Min and ReduceRepeat, and had not by older ones.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  LocalTensor<half> t = buf.Get<half>();
  Duplicate(t, half(1), 512);
  PipeBarrier<PIPE_V>();
  Min(t, t, t[256], 128);
  PipeBarrier<PIPE_V>();
  RepeatReduceSum(t[256], t, 1, 128, 0, 1, 1, 8);
}

int main() { lanediff::Launch(Kernel, 1); }

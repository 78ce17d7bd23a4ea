// run: --product atlas-a3 --edition 2024
// What atlas-a2 has and atlas-a3 has not, by the pages of Min and RepeatReduceSum of 2024.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  LocalTensor<half> t = buf.Get<half>();
  Duplicate(t, half(1), 512);
  PipeBarrier<PIPE_V>();
  Min(t, t, t[256], 128);  //! MIN-PRODUCT
  PipeBarrier<PIPE_V>();
  Max(t, t, t[256], 128);
  PipeBarrier<PIPE_V>();
  RepeatReduceSum(t[256], t, 1, 128, 0, 1, 1, 8);  //! RRS-PRODUCT
  WholeReduceSum(t[256], t, 128, 1, 1, 1, 8);
}

int main() { lanediff::Launch(Kernel, 1); }

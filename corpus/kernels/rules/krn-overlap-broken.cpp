// A byte beside: count forms at different starts, an iteration that reads what an earlier one
// wrote, operands that share half an iteration, a source that a widening Cast runs into.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2048);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 512);
  PipeBarrier<PIPE_V>();
  Abs(t[248], t, 256);  //! ABS-OVERLAP-COUNT
  PipeBarrier<PIPE_V>();
  Abs(t, t[248], 256);  //! ABS-OVERLAP-COUNT
  PipeBarrier<PIPE_V>();
  Abs(t[64], t, 64, 4, {1, 1, 8, 8});  //! ABS-OVERLAP-DEPENDENCY
  PipeBarrier<PIPE_V>();
  Abs(t[32], t, 64, 1, {1, 1, 8, 8});  //! ABS-OVERLAP-ITERATION
  PipeBarrier<PIPE_V>();
  Cast(t, buf.Get<half>()[96], RoundMode::CAST_NONE, 100);  //! CAST-OVERLAP-COUNT
  PipeBarrier<PIPE_V>();
  Axpy(t, buf.Get<half>(), half(1), 64);  //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  WholeReduceMax<float>(t[1], t, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);  //! WRMAX-OVERLAP-ITERATION
}

int main() { lanediff::Launch(Kernel, 1); }

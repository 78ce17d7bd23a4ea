// In place; disjoint; a later iteration writes what an earlier one read; a widening Cast
// from as far up as it must be.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2048);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 512);
  PipeBarrier<PIPE_V>();
  Abs(t, t, 256);
  PipeBarrier<PIPE_V>();
  Abs(t[256], t, 256);
  PipeBarrier<PIPE_V>();
  Abs(t, t, 64, 4, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Abs(t, t[64], 64, 4, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Cast(t, buf.Get<half>()[112], RoundMode::CAST_NONE, 100);
  PipeBarrier<PIPE_V>();
  AddRelu(t, t[64], t, 64, 4, {1, 1, 1, 0, 8, 0});
  PipeBarrier<PIPE_V>();
  WholeReduceMax<float>(t, t, 64, 4, 64, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
}

int main() { lanediff::Launch(Kernel, 1); }

// Starts as their pages require; of a value alone its own size is enough.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 4096);
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  Duplicate(t, 1.0f, 1024);
  PipeBarrier<PIPE_V>();
  Sort32(t[64], t[544], u[800], 1);
  PipeBarrier<PIPE_V>();
  Sort32(h[128], h[1056], u[800], 1);
  PipeBarrier<PIPE_V>();
  WholeReduceMax<half>(h[2], h[1024], 128, 1, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  WholeReduceMin<float>(t[2], t[512], 64, 1, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  WholeReduceMax<half>(h[1], h[1024], 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
}

int main() { lanediff::Launch(Kernel, 1); }

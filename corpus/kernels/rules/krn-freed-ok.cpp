// The block is used again, by who allocated it.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  pipe.InitBuffer(que, 1, 32);
  auto a = que.AllocTensor<float>();
  Duplicate(a, 1.0f, 8);
  que.FreeTensor(a);
  auto b = que.AllocTensor<float>();
  PipeBarrier<PIPE_V>();
  Duplicate(b, 1.0f, 8);
  que.FreeTensor(b);
}

int main() { lanediff::Launch(Kernel, 1); }

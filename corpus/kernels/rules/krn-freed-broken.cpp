// Used between FreeTensor and the next AllocTensor.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  pipe.InitBuffer(que, 1, 32);
  auto a = que.AllocTensor<float>();
  Duplicate(a, 1.0f, 8);
  que.FreeTensor(a);
  PipeBarrier<PIPE_V>();
  Adds(a, a, 1.0f, 8);  //! KRN-FREED
}

int main() { lanediff::Launch(Kernel, 1); }

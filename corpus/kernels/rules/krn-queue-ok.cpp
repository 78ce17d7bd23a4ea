// Depth 2 of three blocks, used to the last.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> que;
  TBuf<> buf;
  pipe.InitBuffer(que, 3, 32);
  pipe.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  auto a = que.AllocTensor<float>(), b = que.AllocTensor<float>(), c = que.AllocTensor<float>();
  que.EnQue(a);
  que.EnQue(b);
  que.FreeTensor(que.DeQue<float>());
  que.EnQue(c);
  que.FreeTensor(que.DeQue<float>());
  que.FreeTensor(que.DeQue<float>());
}

int main() { lanediff::Launch(Kernel, 1); }

// 64 buffers in a kernel, 8 queue buffers allocated at one position at a time.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  TBuf<> bufs[56];
  pipe.InitBuffer(que, 8, 32);
  for (auto& buf : bufs) pipe.InitBuffer(buf, 32);
  LocalTensor<float> t[8];
  for (auto& one : t) one = que.AllocTensor<float>();
  Duplicate(bufs[55].Get<float>(), 1.0f, 8);
  for (auto& one : t) que.FreeTensor(one);
}

int main() { lanediff::Launch(Kernel, 1); }

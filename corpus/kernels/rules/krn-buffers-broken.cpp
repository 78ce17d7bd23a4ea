// The 65th buffer, and the 9th queue buffer at VECIN at a time.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  TBuf<> bufs[56];
  pipe.InitBuffer(que, 9, 32);
  for (auto& buf : bufs) pipe.InitBuffer(buf, 32);  //! KRN-BUFFERS
  LocalTensor<float> t[9];
  for (auto& one : t) one = que.AllocTensor<float>();  //! KRN-BUFFERS
  Duplicate(bufs[55].Get<float>(), 1.0f, 8);
  for (auto& one : t) que.FreeTensor(one);
}

int main() { lanediff::Launch(Kernel, 1); }

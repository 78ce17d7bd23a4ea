// One tensor is still queued and one never given back when the TPipe ends: notes.
// note KRN-QUEUE-LEFT
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  pipe.InitBuffer(que, 2, 32);
  auto a = que.AllocTensor<float>();
  Duplicate(que.AllocTensor<float>(), 1.0f, 8);
  que.EnQue(a);
}

int main() { lanediff::Launch(Kernel, 1); }

// A pointer that nobody told the size of: a note, and it is counted.
// note KRN-GM-EXTENT
#include "kernel_operator.h"
using namespace AscendC;

alignas(32) static float x[16];

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  GlobalTensor<float> gin;
  gin.SetGlobalBuffer((__gm__ float*)in);
  pipe.InitBuffer(que, 1, 64);
  LocalTensor<float> a = que.AllocTensor<float>();
  DataCopy(a, gin, 16);
  que.FreeTensor(a);
}

int main() { lanediff::Launch(Kernel, 1, (GM_ADDR)x); }

// A call that is refused when it is reached, in a branch that is not taken.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 64;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out, bool both) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  if (both) CrossCoreWaitFlag(0);
  pipe.InitBuffer(que, 1, kCount * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, gin, kCount);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout, t, kCount);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y), false);
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != i) return 1;
  }
}

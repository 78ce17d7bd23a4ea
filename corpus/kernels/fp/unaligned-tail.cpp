// 37 elements, copied exactly: the last 12 bytes of the block are never written, and never
// leave.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 37;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in, kCount);
  gout.SetGlobalBuffer((__gm__ float*)out, kCount);
  pipe.InitBuffer(que, 1, 160);
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopyExtParams params{1, kCount * sizeof(float), 0, 0, 0};
  DataCopyPadExtParams<float> pad{false, 0, 0, 0};
  DataCopyPad(t, gin, params, pad);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(gout, t, params);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != i) return 1;
  }
}

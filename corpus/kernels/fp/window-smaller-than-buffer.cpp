// A tile in the middle of a larger buffer, by offset and by a window of its own size.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kAll = 256;
static float x[kAll], y[kAll];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in + kTile, kTile);
  gout.SetGlobalBuffer((__gm__ float*)out, kAll);
  pipe.InitBuffer(que, 1, kTile * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, gin, kTile);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout[3 * kTile], t, kTile);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kAll; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile; ++i) {
    if (y[3 * kTile + i] != kTile + i) return 1;
  }
}

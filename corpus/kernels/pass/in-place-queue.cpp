// Queues of depth 0: tensors are handed over in place, by reference.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kTiles = 3;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 0> qin;
  TQue<TPosition::VECOUT, 0> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, kTile * sizeof(float));
  pipe.InitBuffer(qout, 1, kTile * sizeof(float));
  LocalTensor<float> a, b;
  for (int i = 0; i < kTiles; ++i) {
    qin.AllocTensor<float>(a);
    DataCopy(a, gin[i * kTile], kTile);
    qin.EnQue(a);
    qin.DeQue<float>(a);
    qout.AllocTensor<float>(b);
    Abs(b, a, kTile);
    qout.EnQue(b);
    qin.FreeTensor(a);
    qout.DeQue<float>(b);
    DataCopy(gout[i * kTile], b, kTile);
    qout.FreeTensor(b);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = 90 - i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != (i < 90 ? 90 - i : i - 90)) return 1;
  }
}

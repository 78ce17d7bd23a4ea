// In and out through one TQueBind, no vector call between.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 512, kTiles = 3;
static int16_t x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<int16_t> gin, gout;
  gin.SetGlobalBuffer((__gm__ int16_t*)in);
  gout.SetGlobalBuffer((__gm__ int16_t*)out);
  pipe.InitBuffer(que, 2, kTile * sizeof(int16_t));
  for (int i = 0; i < kTiles; ++i) {
    auto t = que.AllocTensor<int16_t>();
    DataCopy(t, gin[i * kTile], kTile);
    que.EnQue(t);
    t = que.DeQue<int16_t>();
    DataCopy(gout[(kTiles - 1 - i) * kTile], t, kTile);
    que.FreeTensor(t);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = int16_t(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    const int tile = kTiles - 1 - i / kTile;
    if (y[i] != x[tile * kTile + i % kTile]) return 1;
  }
}

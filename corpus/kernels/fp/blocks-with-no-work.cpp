// Two of eight blocks have a tile; the others end at once.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kTiles = 2, kBlocks = 8;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  if (GetBlockIdx() >= kTiles) return;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in + GetBlockIdx() * kTile, kTile);
  gout.SetGlobalBuffer((__gm__ float*)out + GetBlockIdx() * kTile, kTile);
  pipe.InitBuffer(que, 1, kTile * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, gin, kTile);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout, t, kTile);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != i) return 1;
  }
}

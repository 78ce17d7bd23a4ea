// One TQueBind twice: its positions say whether the vector unit or a copy comes next.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 256, kTiles = 3;
static half x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  pipe.InitBuffer(que, 1, kTile * sizeof(half));
  for (int i = 0; i < kTiles; ++i) {
    auto t = que.AllocTensor<half>();
    DataCopy(t, gin[i * kTile], kTile);
    que.EnQue<TPosition::GM, TPosition::VECIN, half>(t);
    t = que.DeQue<TPosition::GM, TPosition::VECIN, half>();
    Adds(t, t, half(1), kTile);
    que.EnQue<TPosition::VECOUT, TPosition::GM, half>(t);
    t = que.DeQue<TPosition::VECOUT, TPosition::GM, half>();
    DataCopy(gout[i * kTile], t, kTile);
    que.FreeTensor(t);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = half(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (float(y[i]) != i + 1) return 1;
  }
}

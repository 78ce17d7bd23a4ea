// One block of each queue, used again in every turn: EnQue, DeQue and FreeTensor order
// it all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 256, kTiles = 4;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, kTile * sizeof(float));
  pipe.InitBuffer(qout, 1, kTile * sizeof(float));
  for (int i = 0; i < kTiles; ++i) {
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin[i * kTile], kTile);
    qin.EnQue(a);
    a = qin.DeQue<float>();
    LocalTensor<float> b = qout.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    qout.EnQue(b);
    qin.FreeTensor(a);
    b = qout.DeQue<float>();
    DataCopy(gout[i * kTile], b, kTile);
    qout.FreeTensor(b);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != i + 1) return 1;
  }
}

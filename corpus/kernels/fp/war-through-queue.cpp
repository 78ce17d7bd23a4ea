// The next copy overwrites what a vector call reads; FreeTensor and AllocTensor stand
// between them.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 128, kTiles = 4;
static float x[kTile * kTiles], y[kTile];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, kTile * sizeof(float));
  pipe.InitBuffer(qout, 1, kTile * sizeof(float));
  LocalTensor<float> sum = qout.AllocTensor<float>();
  Duplicate(sum, 0.0f, kTile);
  for (int i = 0; i < kTiles; ++i) {
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin[i * kTile], kTile);
    qin.EnQue(a);
    a = qin.DeQue<float>();
    PipeBarrier<PIPE_V>();
    Add(sum, sum, a, kTile);
    qin.FreeTensor(a);
  }
  qout.EnQue(sum);
  sum = qout.DeQue<float>();
  DataCopy(gout, sum, kTile);
  qout.FreeTensor(sum);
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i % kTile;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile; ++i) {
    if (y[i] != kTiles * i) return 1;
  }
}

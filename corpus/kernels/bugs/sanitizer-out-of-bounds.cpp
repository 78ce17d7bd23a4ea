// sanitizer-correct with one line changed: the copy out is a tile too far.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 128, kTiles = 2;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in, kTile * kTiles);
  gout.SetGlobalBuffer((__gm__ float*)out, kTile * kTiles);
  pipe.InitBuffer(qin, 2, kTile * sizeof(float));
  pipe.InitBuffer(qout, 2, kTile * sizeof(float));
  for (int i = 0; i < kTiles; ++i) {
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin[i * kTile], kTile);
    qin.EnQue(a);
    LocalTensor<float> b = qin.DeQue<float>();
    LocalTensor<float> c = qout.AllocTensor<float>();
    Add(c, b, b, kTile);
    qout.EnQue(c);
    qin.FreeTensor(b);
    LocalTensor<float> d = qout.DeQue<float>();
    DataCopy(gout[(i + 1) * kTile], d, kTile);  //! DC-BOUNDS
    qout.FreeTensor(d);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

// shows: GM bytes 1536 to 2047 (argument 2, elements 256 to 383 of 256)

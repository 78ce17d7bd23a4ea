// sanitizer-correct with one line changed: the result is a tensor that was never given
// memory.
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
    LocalTensor<float> c = qout.AllocTensor<float>(), e;
    Add(e, b, b, kTile);  //! KRN-TENSOR
    qout.EnQue(c);
    qin.FreeTensor(b);
    LocalTensor<float> d = qout.DeQue<float>();
    DataCopy(gout[i * kTile], d, kTile);  //! INIT-READ
    qout.FreeTensor(d);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

// What an earlier use left in a queue's buffer is read: copied out as it is, and computed
// with first; of two buffers, so that the third use is of the first one's.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float x[kTile * 6], y[kTile * 6];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> qin;
  TQue<TPosition::VECOUT, 2> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in, kTile * 6);
  gout.SetGlobalBuffer((__gm__ float*)out, kTile * 6);
  pipe.InitBuffer(qin, 2, kTile * sizeof(float));
  pipe.InitBuffer(qout, 2, kTile * sizeof(float));
  for (int i = 0; i < 3; ++i) {
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin[i * kTile], i < 2 ? kTile : kTile / 2);
    qin.EnQue(a);
    a = qin.DeQue<float>();
    LocalTensor<float> b = qout.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    qout.EnQue(b);
    qin.FreeTensor(a);
    b = qout.DeQue<float>();
    DataCopy(gout[i * kTile], b, kTile);  //! INIT-STALE
    qout.FreeTensor(b);
  }
  for (int i = 3; i < 6; ++i) {
    LocalTensor<float> b = qout.AllocTensor<float>();
    if (i < 4) Duplicate(b, 1.0f, kTile);
    qout.EnQue(b);
    b = qout.DeQue<float>();
    DataCopy(gout[i * kTile], b, kTile);  //! INIT-STALE
    qout.FreeTensor(b);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

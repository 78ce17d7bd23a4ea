// Each use writes what it copies out. What an earlier use left is read and not stored, and
// what is enqueued and taken out again is still there.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float x[kTile * 3], y[kTile * 3];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> qin;
  TQue<TPosition::VECOUT, 2> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in, kTile * 3);
  gout.SetGlobalBuffer((__gm__ float*)out, kTile * 3);
  pipe.InitBuffer(qin, 2, kTile * sizeof(float));
  pipe.InitBuffer(qout, 2, kTile * sizeof(float));
  for (int i = 0; i < 3; ++i) {
    const int count = i < 2 ? kTile : kTile / 2;
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin[i * kTile], count);
    qin.EnQue(a);
    a = qin.DeQue<float>();
    LocalTensor<float> b = qout.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    qout.EnQue(b);
    b = qout.DeQue<float>();
    DataCopy(gout[i * kTile], b, count);
    qout.FreeTensor(b);
    qin.FreeTensor(a);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

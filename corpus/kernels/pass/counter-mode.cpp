// 150 elements in counter mode: two iterations of 64 and one of 22.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 150, kRoom = 192;
static float x[kRoom], y[kRoom];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, sizeof x);
  pipe.InitBuffer(qout, 1, sizeof y);
  LocalTensor<float> a = qin.AllocTensor<float>();
  DataCopy(a, gin, kRoom);
  qin.EnQue(a);
  a = qin.DeQue<float>();
  LocalTensor<float> b = qout.AllocTensor<float>();
  Duplicate(b, -1.0f, kRoom);
  PipeBarrier<PIPE_V>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, kCount);
  Add<float, false>(b, a, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  Adds<float, false>(b, b, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Mul(b, b, a, 70, 1, {1, 1, 1, 8, 8, 8});
  SetMaskNorm();
  ResetMask();
  qout.EnQue(b);
  qin.FreeTensor(a);
  b = qout.DeQue<float>();
  DataCopy(gout, b, kRoom);
  qout.FreeTensor(b);
}

int main() {
  for (int i = 0; i < kRoom; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kRoom; ++i) {
    const float sum = 2 * i + 1;
    if (y[i] != (i < 70 ? sum * i : i < kCount ? sum : -1)) return 1;
  }
}

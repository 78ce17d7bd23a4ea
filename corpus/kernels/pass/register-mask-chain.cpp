// isSetMask = false: masks in the register, set anew where another one is needed.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRow = 128, kRows = 4;
static half x[kRow * kRows], y[kRow * kRows];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  pipe.InitBuffer(qin, 1, sizeof x);
  pipe.InitBuffer(qout, 1, sizeof y);
  LocalTensor<half> a = qin.AllocTensor<half>();
  DataCopy(a, gin, kRow * kRows);
  qin.EnQue(a);
  a = qin.DeQue<half>();
  LocalTensor<half> b = qout.AllocTensor<half>();
  SetMaskNorm();
  SetVectorMask<half>(kRow);
  Adds<half, false>(b, a, half(1.0f), MASK_PLACEHOLDER, kRows, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  SetVectorMask<half>(0, 0xffff);
  Add<half, false>(b, b, a, MASK_PLACEHOLDER, kRows, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  Add<half, false>(b, b, a, MASK_PLACEHOLDER, kRows, {1, 1, 1, 8, 8, 8});
  ResetMask();
  qout.EnQue(b);
  qin.FreeTensor(a);
  b = qout.DeQue<half>();
  DataCopy(gout, b, kRow * kRows);
  qout.FreeTensor(b);
}

int main() {
  for (int i = 0; i < kRow * kRows; ++i) x[i] = half(float(i % 64));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kRow * kRows; ++i) {
    if (float(y[i]) != i % 64 * (i % kRow < 16 ? 3 : 1) + 1) return 1;
  }
}

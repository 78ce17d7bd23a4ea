// Maximum of rows of 256: pairwise, then over what is left; and the sum of all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRows = 8, kRow = 256;
static float x[kRows * kRow], y[kRows], z[8];

void Kernel(GM_ADDR in, GM_ADDR out, GM_ADDR sum) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  TBuf<TPosition::VECCALC> calc;
  GlobalTensor<float> gin, gout, gsum;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  gsum.SetGlobalBuffer((__gm__ float*)sum);
  pipe.InitBuffer(qin, 1, sizeof x);
  pipe.InitBuffer(qout, 1, 64);
  pipe.InitBuffer(calc, kRows * 64 * sizeof(float));
  LocalTensor<float> a = qin.AllocTensor<float>(), t = calc.Get<float>();
  DataCopy(a, gin, kRows * kRow);
  qin.EnQue(a);
  a = qin.DeQue<float>();
  LocalTensor<float> b = qout.AllocTensor<float>();
  Max(t, a, a[64], 64, kRows, {1, 1, 1, 8, 32, 32});
  PipeBarrier<PIPE_V>();
  Max(t, t, a[128], 64, kRows, {1, 1, 1, 8, 8, 32});
  PipeBarrier<PIPE_V>();
  Max(t, t, a[192], 64, kRows, {1, 1, 1, 8, 8, 32});
  PipeBarrier<PIPE_V>();
  WholeReduceMax<float>(b, t, 64, kRows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  PipeBarrier<PIPE_V>();
  WholeReduceSum<float>(b[8], b, kRows, 1, 1, 1, 8);
  qout.EnQue(b);
  qin.FreeTensor(a);
  b = qout.DeQue<float>();
  DataCopy(gout, b, kRows);
  DataCopyPad(gsum, b[8], DataCopyExtParams{1, sizeof(float), 0, 0, 0});
  qout.FreeTensor(b);
}

int main() {
  float all = 0;
  for (int i = 0; i < kRows * kRow; ++i) x[i] = i * 37 % 1009;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  for (int r = 0; r < kRows; ++r) {
    float most = 0;
    for (int i = 0; i < kRow; ++i) most = x[r * kRow + i] > most ? x[r * kRow + i] : most;
    if (y[r] != most) return 1;
    all += most;
  }
  return z[0] == all ? 0 : 1;
}

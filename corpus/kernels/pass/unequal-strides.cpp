// Each stride and gap of a call is another number; main computes the same by plain loops.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlock = 8, kIn = 512, kBinary = 256, kSums = 64, kGaps = 14 * kBlock;
static float x[2 * kIn], y[5 * kBinary + kSums], z[6 * kBlock];

void Kernel(GM_ADDR in, GM_ADDR out, GM_ADDR pieces) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> qgaps;
  GlobalTensor<float> gin, gout, gpieces;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  gpieces.SetGlobalBuffer((__gm__ float*)pieces);
  pipe.InitBuffer(qin, 1, sizeof x);
  pipe.InitBuffer(qout, 1, sizeof y);
  pipe.InitBuffer(qgaps, 1, kGaps * sizeof(float));

  LocalTensor<float> gaps = qgaps.AllocTensor<float>();
  DataCopy(gaps, gin, DataCopyParams(3, 2, 1, 4));
  qgaps.EnQue(gaps);
  gaps = qgaps.DeQue<float>();
  DataCopy(gpieces, gaps, DataCopyParams(3, 2, 4, 0));
  qgaps.FreeTensor(gaps);

  LocalTensor<float> a = qin.AllocTensor<float>();
  DataCopy(a, gin, 2 * kIn);
  qin.EnQue(a);
  a = qin.DeQue<float>();
  LocalTensor<float> b = a[kIn], c = qout.AllocTensor<float>();
  Duplicate(c, 0.0f, 5 * kBinary + kSums);
  PipeBarrier<PIPE_V>();
  const BinaryRepeatParams strides(2, 1, 3, 17, 9, 25);
  Add(c, a, b, 64, 2, strides);
  Sub(c[kBinary], a, b, 64, 2, strides);
  Mul(c[2 * kBinary], a, b, 64, 2, strides);
  Max(c[3 * kBinary], a, b, 64, 2, strides);
  Min(c[4 * kBinary], a, b, 64, 2, strides);
  LocalTensor<float> sums = c[5 * kBinary];
  RepeatReduceSum(sums, a, 2, 40, 1, 3, 5, 26);
  WholeReduceSum<float>(sums[16], a, 24, 3, 7, 2, 17);
  qout.EnQue(c);
  qin.FreeTensor(a);
  c = qout.DeQue<float>();
  DataCopy(gout, c, 5 * kBinary + kSums);
  qout.FreeTensor(c);
}

int main() {
  for (int i = 0; i < 2 * kIn; ++i) x[i] = i * 37 % 1009 - 300;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  static float expected[5 * kBinary + kSums];
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int lane = 0; lane < 64; ++lane) {
      const int block = lane / kBlock, rest = lane % kBlock;
      const float p = x[(9 * repeat + block) * kBlock + rest];
      const float q = x[kIn + (25 * repeat + 3 * block) * kBlock + rest];
      float* to = expected + (17 * repeat + 2 * block) * kBlock + rest;
      to[0] = p + q;
      to[kBinary] = p - q;
      to[2 * kBinary] = p * q;
      to[3 * kBinary] = p > q ? p : q;
      to[4 * kBinary] = p < q ? p : q;
      if (lane < 40)
        expected[5 * kBinary + 5 * repeat] += x[(26 * repeat + 3 * block) * kBlock + rest];
    }
  }
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int lane = 0; lane < 24; ++lane) {
      expected[5 * kBinary + 16 + 7 * repeat] +=
          x[(17 * repeat + 2 * (lane / kBlock)) * kBlock + lane % kBlock];
    }
  }
  for (int i = 0; i < 5 * kBinary + kSums; ++i) {
    if (y[i] != expected[i]) return 1;
  }
  for (int i = 0; i < 6 * kBlock; ++i) {
    const int block = i / (2 * kBlock);
    if (z[i] != x[3 * block * kBlock + i % (2 * kBlock)]) return 2;
  }
}

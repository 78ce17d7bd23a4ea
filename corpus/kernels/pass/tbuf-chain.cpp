// Four vector calls, each on what the one before computed, in TBufs.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 200;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  TBuf<TPosition::VECCALC> bufs[2];
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, kCount * sizeof(float));
  pipe.InitBuffer(qout, 1, kCount * sizeof(float));
  for (auto& buf : bufs) pipe.InitBuffer(buf, kCount * sizeof(float));
  LocalTensor<float> a = qin.AllocTensor<float>();
  DataCopy(a, gin, kCount);
  qin.EnQue(a);
  a = qin.DeQue<float>();
  LocalTensor<float> b = bufs[0].Get<float>(), c = bufs[1].Get<float>();
  Adds(b, a, 1.0f, kCount);
  PipeBarrier<PIPE_V>();
  Mul(c, b, a, kCount);
  PipeBarrier<PIPE_V>();
  Maxs(b, c, 100.0f, kCount);
  PipeBarrier<PIPE_V>();
  LocalTensor<float> d = qout.AllocTensor<float>();
  Sub(d, b, c, kCount);
  qout.EnQue(d);
  qin.FreeTensor(a);
  d = qout.DeQue<float>();
  DataCopy(gout, d, kCount);
  qout.FreeTensor(d);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    const float c = (x[i] + 1) * x[i];
    if (y[i] != (c > 100 ? 0 : 100 - c)) return 1;
  }
}

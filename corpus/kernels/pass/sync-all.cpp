// Each block adds its part to GM atomically; behind SyncAll all read the sum.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 4, kCount = 64;
static float x[kBlocks * kCount], sum[kCount], y[kBlocks * kCount];

void Kernel(GM_ADDR in, GM_ADDR middle, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gsum, gout;
  const int from = GetBlockIdx() * kCount;
  gin.SetGlobalBuffer((__gm__ float*)in + from, kCount);
  gsum.SetGlobalBuffer((__gm__ float*)middle, kCount);
  gout.SetGlobalBuffer((__gm__ float*)out + from, kCount);
  pipe.InitBuffer(que, 1, kCount * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, gin, kCount);
  que.EnQue(t);
  t = que.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopy(gsum, t, kCount);
  SetAtomicNone();
  que.FreeTensor(t);
  PipeBarrier<PIPE_ALL>();
  SyncAll();
  t = que.AllocTensor<float>();
  DataCopy(t, gsum, kCount);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout, t, kCount);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kBlocks * kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(sum, sizeof sum),
                   lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kBlocks * kCount; ++i) {
    float all = 0;
    for (int b = 0; b < kBlocks; ++b) all += x[b * kCount + i % kCount];
    if (y[i] != all) return 1;
  }
}

// All blocks add to the same bytes, by DataCopyPad, too, and one twice in its own order.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 4, kCount = 13;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(que, 1, 64);
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopyPad(t, gin, DataCopyExtParams(1, sizeof x, 0, 0, 0), {});
  que.EnQue(t);
  t = que.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopyPad(gout, t, DataCopyExtParams(1, sizeof x, 0, 0, 0));
  PipeBarrier<PIPE_MTE3>();
  DataCopyPad(gout, t, DataCopyExtParams(1, sizeof x, 0, 0, 0));
  SetAtomicNone();
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i, y[i] = 1;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != 2 * kBlocks * i + 1) return 1;
  }
}

// All blocks add to the same bytes, by DataCopyPad, too, and one twice in its own order; gaps keep theirs.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 4, kCount = 13;
static float x[10], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(que, 1, 64);
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopyPad(t, gin, DataCopyExtParams(2, 20, 0, 0, 0), {});
  que.EnQue(t);
  t = que.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopyPad(gout[1], t, DataCopyExtParams(2, 20, 0, 8, 0));
  PipeBarrier<PIPE_MTE3>();
  DataCopyPad(gout[1], t, DataCopyExtParams(2, 20, 0, 8, 0));
  SetAtomicNone();
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < 10; ++i) x[i] = i + 1;
  for (float& element : y) element = 1;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  constexpr int kAdded[kCount] = {0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10};
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != 2 * kBlocks * kAdded[i] + 1) return 1;
  }
}

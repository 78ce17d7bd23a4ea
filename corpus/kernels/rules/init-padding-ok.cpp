// Padding with a value; and without one, where only what was copied is stored.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kUsed = 10, kRoom = 16;
static float x[kUsed], y[kRoom];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(que, 1, kRoom * sizeof(float));
  auto t = que.AllocTensor<float>();
  Duplicate(t, 0.0f, kRoom);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(t, gin, DataCopyExtParams(1, kUsed * sizeof(float), 0, 0, 0),
              DataCopyPadExtParams<float>(true, 0, kRoom - kUsed, 0.0f));
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(gout, t, DataCopyExtParams(1, kRoom * sizeof(float), 0, 0, 0));
  que.FreeTensor(t);
  PipeBarrier<PIPE_ALL>();
  t = que.AllocTensor<float>();
  DataCopyPad(t, gin, DataCopyExtParams(1, kUsed * sizeof(float), 0, 0, 0),
              DataCopyPadExtParams<float>(false, 0, kRoom - kUsed, 0.0f));
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(gout, t, DataCopyExtParams(1, kUsed * sizeof(float), 0, 0, 0));
  que.FreeTensor(t);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

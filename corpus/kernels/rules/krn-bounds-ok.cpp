// Carried calls, and DataCopyPad, up to the last byte of their windows, local and in GM.
#include "kernel_operator.h"
using namespace AscendC;

static float x[10], y[10];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 64);
  pipe.InitBuffer(que, 1, 64);
  LocalTensor<float> u = buf.Get<float>();
  Duplicate(u, 1.0f, 16);
  PipeBarrier<PIPE_V>();
  Exp(u, u, 16);
  Fill(gout, 10, 1.0f);
  PipeBarrier<PIPE_MTE3>();
  const DataCopyExtParams params{1, 40, 0, 0, 0};
  auto t = que.AllocTensor<float>();
  DataCopyPad(t, gin, params, DataCopyPadExtParams<float>{});
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(gout, t, params);
  que.FreeTensor(t);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

// With --strict they are findings.
// run: --strict
#include "kernel_operator.h"
using namespace AscendC;

static float x[16];

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> que;
  TBuf<> buf;
  GlobalTensor<float> gin;
  gin.SetGlobalBuffer((__gm__ float*)in, 8);
  pipe.InitBuffer(que, 1, 64);
  pipe.InitBuffer(buf, 64);
  LocalTensor<float> t = buf.Get<float>(8);
  Duplicate(t, 1.0f, 8);
  PipeBarrier<PIPE_V>();
  Duplicate(t, 1.0f, 9);  //! KRN-DECLARED
  LocalTensor<float> a = que.AllocTensor<float>();
  DataCopy(a, gin, 16);  //! KRN-DECLARED
  que.FreeTensor(a);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }

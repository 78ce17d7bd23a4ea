// Of a call of a wrong type nobody knows what it writes: reading that is no second finding.
#include "kernel_operator.h"
using namespace AscendC;

static int64_t y[32];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  TQue<TPosition::VECOUT, 1> que;
  pipe.InitBuffer(buf, 512);
  pipe.InitBuffer(que, 1, 256);
  LocalTensor<int64_t> t = buf.Get<int64_t>();
  Duplicate(t.ReinterpretCast<int32_t>(), 1, 128);
  PipeBarrier<PIPE_V>();
  auto sum = que.AllocTensor<int64_t>();
  Add(sum, t, t[32], 32);  //! ADD-DTYPE
  que.EnQue(sum);
  sum = que.DeQue<int64_t>();
  GlobalTensor<int64_t> gm;
  gm.SetGlobalBuffer((__gm__ int64_t*)out);
  DataCopy(gm, sum, 32);
  que.FreeTensor(sum);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

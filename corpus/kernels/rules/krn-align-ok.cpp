// Operands at 32 bytes; a reduction's result at its own size; GM anywhere.
#include "kernel_operator.h"
using namespace AscendC;

static half y[64];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  TQue<TPosition::VECOUT, 1> que;
  GlobalTensor<half> gout;
  gout.SetGlobalBuffer((__gm__ half*)out);
  pipe.InitBuffer(buf, 1024);
  pipe.InitBuffer(que, 1, 64);
  LocalTensor<half> t = buf.Get<half>();
  Duplicate(t, half(1.0f), 512);
  PipeBarrier<PIPE_V>();
  Adds(t[16], t[16], half(1.0f), 16);
  PipeBarrier<PIPE_V>();
  WholeReduceMax<half>(t[257], t, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  PipeBarrier<PIPE_V>();
  BlockReduceMax<half>(t[264], t, 1, 128, 1, 1, 8);
  auto o = que.AllocTensor<half>();
  Duplicate(o, half(1.0f), 16);
  que.EnQue(o);
  o = que.DeQue<half>();
  DataCopyPad(gout[3], o, DataCopyExtParams{1, 6, 0, 0, 0});
  que.FreeTensor(o);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

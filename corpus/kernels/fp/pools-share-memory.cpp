// A buffer of a second pool lies where a queue of the first has freed its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 256;
static float x[kCount];

template <class Pool>
__aicore__ inline void Through(Pool& pool, GlobalTensor<float>& gm) {
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pool.InitBuffer(in, 1, kCount * sizeof(float));
  pool.InitBuffer(out, 1, kCount * sizeof(float));
  auto a = in.template AllocTensor<float>();
  DataCopy(a, gm, kCount);
  in.EnQue(a);
  a = in.template DeQue<float>();
  auto b = out.template AllocTensor<float>();
  Adds(b, a, 1.0f, kCount);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.template DeQue<float>();
  DataCopy(gm, b, kCount);
  out.FreeTensor(b);
  PipeBarrier<PIPE_ALL>();
}

void Kernel(GM_ADDR inout) {
  TPipe pipe;
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)inout);
  TBufPool<TPosition::VECCALC> first, second;
  pipe.InitBufPool(first, 8192);
  pipe.InitBufPool(second, 8192, first);
  Through(first, gm);
  first.Reset();
  Through(second, gm);
  second.Reset();
}

int main() {
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x));
  return x[7] == 2 ? 0 : 1;
}

// A read of what another block writes, with no SyncAll between; two atomic operations.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 2;
static float y[8 * kBlocks], sum[8];

void Kernel(GM_ADDR out, GM_ADDR all) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> que;
  TQue<TPosition::VECIN, 1> qin;
  GlobalTensor<float> gout, gsum;
  gout.SetGlobalBuffer((__gm__ float*)out);
  gsum.SetGlobalBuffer((__gm__ float*)all);
  pipe.InitBuffer(que, 1, 32);
  pipe.InitBuffer(qin, 1, 32);
  LocalTensor<float> t = que.AllocTensor<float>();
  Duplicate(t, 1.0f, 8);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout[GetBlockIdx() * 8], t, 8);
  if (GetBlockIdx() == 0) {
    SetAtomicAdd<float>();
  } else {
    SetAtomicMax<float>();
  }
  DataCopy(gsum, t, 8);  //! KRN-GM-CONFLICT
  SetAtomicNone();
  que.FreeTensor(t);
  LocalTensor<float> a = qin.AllocTensor<float>();
  if (GetBlockIdx() == 1) DataCopy(a, gout, 8);  //! KRN-GM-CONFLICT
  qin.FreeTensor(a);
}

int main() {
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(y, sizeof y), lanediff::Gm(sum, sizeof sum));
}

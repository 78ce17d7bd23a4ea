// SetAtomicType leaves the operation as it is: nothing is set by it alone, and a sum stays one.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 16;
static half x[kCount], y[kCount], z[kCount];

void Kernel(GM_ADDR in, GM_ADDR out, GM_ADDR unsummed) {
  GlobalTensor<half> gin, gout, gplain;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  gplain.SetGlobalBuffer((__gm__ half*)unsummed);
  LocalTensor<half> t(TPosition::VECOUT, 0, kCount);
  DataCopy(t, gin, kCount);
  PipeBarrier<PIPE_ALL>();
  SetAtomicType<half>();
  if (GetBlockIdx() == 0) {
    DataCopy(gplain, t, kCount);  //! KRN-ATOMIC-UNKNOWN
    SetAtomicNone();
    DataCopy(gplain, t, kCount);  //! SYNC-WAW
    return;
  }
  SetAtomicAdd<float>();
  SetAtomicType<half>();
  DataCopy(gout, t, kCount);
  SetAtomicNone();
}

int main() {
  for (int i = 0; i < kCount; ++i) {
    x[i] = half(i);
    y[i] = half(1);
  }
  lanediff::Launch(Kernel, 3, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  for (int i = 0; i < kCount; ++i) {
    if (float(y[i]) != 1 + 2 * i || float(z[i]) != i) return 1;
  }
}

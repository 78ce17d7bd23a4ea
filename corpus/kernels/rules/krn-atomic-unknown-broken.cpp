// Nobody set it. Copies in don't ask.
#include "kernel_operator.h"
using namespace AscendC;

static float x[8], y[8];

void Kernel(GM_ADDR in, GM_ADDR out) {
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  LocalTensor<float> a(TPosition::VECIN, 0, 8), t(TPosition::VECOUT, 64, 8);
  DataCopy(a, gin, 8);
  Duplicate(t, 1.0f, 8);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, t, 8);  //! KRN-ATOMIC-UNKNOWN
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

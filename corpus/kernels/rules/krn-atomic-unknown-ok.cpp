// InitSocState sets the atomic mode; so does SetAtomicNone.
#include "kernel_operator.h"
using namespace AscendC;

static float y[8];

void Kernel(GM_ADDR out, bool by_state) {
  if (by_state) {
    InitSocState();
  } else {
    SetAtomicNone();
  }
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  LocalTensor<float> t(TPosition::VECOUT, 0, 8);
  Duplicate(t, 1.0f, 8);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, t, 8);
}

int main() {
  lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y), true);
  lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y), false);
}

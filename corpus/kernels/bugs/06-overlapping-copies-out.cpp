// Pattern 6: rows go out 40 elements wide at a distance of 32, so each overwrites the end of
// the one before, on one pipe and with no barrier.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRow = 40, kStep = 32, kRows = 3;
static float y[kStep * (kRows - 1) + kRow];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kRow * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, kRow);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  for (int i = 0; i < kRows; ++i) DataCopy(gout[i * kStep], t, kRow);  //! SYNC-WAW
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

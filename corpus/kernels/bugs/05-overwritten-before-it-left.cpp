// Pattern 5: the second turn computes into the buffer that the first one's copy out still
// reads.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float y[2 * kTile];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kTile * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  for (int i = 0; i < 2; ++i) {
    Duplicate(t, float(i), kTile);  //! SYNC-WAR
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gout[i * kTile], t, kTile);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

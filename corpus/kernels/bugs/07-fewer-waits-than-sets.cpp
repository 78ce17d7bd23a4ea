// Pattern 7: a flag is set before the loop and in each turn, and waited for in each turn: the
// last one stays set.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kTiles = 3;
static float y[kTile * kTiles];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kTile * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  for (int i = 0; i < kTiles; ++i) {
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    Duplicate(t, float(i), kTile);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gout[i * kTile], t, kTile);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);  //! SYNC-FLAG-UNWAITED
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

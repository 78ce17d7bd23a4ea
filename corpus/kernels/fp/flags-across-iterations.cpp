// A flag set at the end of one turn is waited for in the next: the first turn waits for
// none, the last sets none.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kTiles = 4;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kTile * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  for (int i = 0; i < kTiles; ++i) {
    if (i > 0) WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID3);
    DataCopy(t, gin[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(t, t, 2.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gout[i * kTile], t, kTile);
    if (i + 1 < kTiles) SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID3);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != 2 * i) return 1;
  }
}

// Events are numbered through the tiles: the ninth has number 8, and the product 0 to 7.
// shows: SetFlag MTE2_V 8 names a flag that the product does not have; ids 0 to 7 are allowed
// shows: WaitFlag MTE2_V 8 names
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t kLen = 64, kTiles = 9;
static float x[kLen * kTiles], y[kLen * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, sizeof x);
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in, kLen * kTiles);
  gout.SetGlobalBuffer((__gm__ float*)out, kLen * kTiles);
  LocalTensor<float> a = buf.Get<float>();
  for (int32_t t = 0; t < kTiles; ++t) {
    const event_t id = static_cast<event_t>(t);
    DataCopy(a[t * kLen], gin[t * kLen], kLen);
    SetFlag<HardEvent::MTE2_V>(id);   //! SYNC-FLAG-ID
    WaitFlag<HardEvent::MTE2_V>(id);  //! SYNC-FLAG-ID
    Adds(a[t * kLen], a[t * kLen], 1.0f, kLen);  //! SYNC-RAW
  }
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, a, kLen * kTiles);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
// follows: SYNC-RAW 23 from SYNC-FLAG-ID 22

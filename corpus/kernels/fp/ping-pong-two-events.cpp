// Two halves of a buffer, an event id each.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 128, kTiles = 5;
static float x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  InitSocState();
  LocalTensor<float> a[2] = {{TPosition::VECIN, 0, kTile}, {TPosition::VECIN, 512, kTile}};
  LocalTensor<float> b[2] = {{TPosition::VECOUT, 1024, kTile}, {TPosition::VECOUT, 1536, kTile}};
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  for (int e = 0; e < 2; ++e) {
    SetFlag<HardEvent::V_MTE2>(e);
    SetFlag<HardEvent::MTE3_V>(e);
  }
  for (int i = 0; i < kTiles; ++i) {
    const int e = i % 2;
    WaitFlag<HardEvent::V_MTE2>(e);
    DataCopy(a[e], gin[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(e);
    WaitFlag<HardEvent::MTE2_V>(e);
    WaitFlag<HardEvent::MTE3_V>(e);
    Adds(b[e], a[e], 1.0f, kTile);
    SetFlag<HardEvent::V_MTE2>(e);
    SetFlag<HardEvent::V_MTE3>(e);
    WaitFlag<HardEvent::V_MTE3>(e);
    DataCopy(gout[i * kTile], b[e], kTile);
    SetFlag<HardEvent::MTE3_V>(e);
  }
  for (int e = 0; e < 2; ++e) {
    WaitFlag<HardEvent::V_MTE2>(e);
    WaitFlag<HardEvent::MTE3_V>(e);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != i + 1) return 1;
  }
}

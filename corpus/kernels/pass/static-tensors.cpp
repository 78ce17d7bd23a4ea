// Tensors at addresses, ordered by flags alone.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 128, kTiles = 4;
static half x[kTile * kTiles], y[kTile * kTiles];

void Kernel(GM_ADDR in, GM_ADDR out) {
  InitSocState();
  LocalTensor<half> a(TPosition::VECIN, 0, kTile);
  LocalTensor<half> b(TPosition::VECOUT, 1024, kTile);
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
  for (int i = 0; i < kTiles; ++i) {
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopy(a, gin[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID2);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID2);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
    Min(b, a, a, 128, 1, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
    Max(b, b, a, kTile);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID3);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);
    DataCopy(gout[i * kTile], b, kTile);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
  }
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = half(float(i));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (float(y[i]) != float(i)) return 1;
  }
}

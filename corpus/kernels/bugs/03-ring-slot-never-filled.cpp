// Pattern 3: a ring of three slots of which the loop fills two, and the last copy takes the
// third.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kSlot = 64, kSlots = 3;
static float x[kSlot * kSlots], y[kSlot * kSlots];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> ring;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(ring, kSlots * kSlot * sizeof(float));
  LocalTensor<float> t = ring.Get<float>();
  for (int i = 0; i + 1 < kSlots; ++i) DataCopy(t[i * kSlot], gin[i * kSlot], kSlot);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  for (int i = 0; i < kSlots; ++i) {
    DataCopy(gout[i * kSlot], t[i * kSlot], kSlot);  //! INIT-READ
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }

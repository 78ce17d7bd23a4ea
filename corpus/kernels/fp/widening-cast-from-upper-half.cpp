// The source lies in the upper half of what the result fills.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 256;
static half x[kCount];
static float y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<half> gin;
  GlobalTensor<float> gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kCount * sizeof(float));
  LocalTensor<float> wide = buf.Get<float>();
  LocalTensor<half> narrow = buf.Get<half>()[kCount];
  DataCopy(narrow, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Cast(wide, narrow, RoundMode::CAST_NONE, kCount);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, wide, kCount);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = half(float(i));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != i) return 1;
  }
}

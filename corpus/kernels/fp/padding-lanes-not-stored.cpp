// 40 of 64 lanes are loaded and 40 stored; the call computes on all, and lanes that leave
// the core nowhere need not be written.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 40, kLanes = 64;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 3 * kLanes * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[kLanes], c = a[2 * kLanes];
  DataCopy(a, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Add(b, a, a, kLanes);
  PipeBarrier<PIPE_V>();
  Adds(c, b, 1.0f, kLanes);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, c, kCount);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != 2 * i + 1) return 1;
  }
}

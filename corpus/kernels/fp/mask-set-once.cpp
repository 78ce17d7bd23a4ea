// SetVectorMask once, then three calls that take their lanes from the register.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRows = 4, kRow = 64;
static float x[kRows * kRow], y[kRows * kRow];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kRows * kRow * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, gin, kRows * kRow);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  SetMaskNorm();
  SetVectorMask<float>(0, 0xffffffff);
  Add<float, false>(t, t, t, MASK_PLACEHOLDER, kRows, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, kRows, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Muls<float, false>(t, t, 2.0f, MASK_PLACEHOLDER, kRows, {1, 1, 8, 8});
  ResetMask();
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, t, kRows * kRow);
}

int main() {
  for (int i = 0; i < kRows * kRow; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kRows * kRow; ++i) {
    if (y[i] != (i % kRow < 32 ? 2 * (2 * i + 1) : i)) return 1;
  }
}

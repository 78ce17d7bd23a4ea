// Each iteration's result starts where its source does, and no later iteration reads it.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRows = 4, kRow = 64;
static float x[kRows * kRow], y[8];

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
  WholeReduceMax<float>(t, t, kRow, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, t, 8);
}

int main() {
  for (int i = 0; i < kRow; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  return y[0] == kRow - 1 ? 0 : 1;
}

// dst may share tmp.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 256;
static float x[kCount], y[8];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 2 * kCount * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), tmp = a[kCount];
  DataCopy(a, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  ReduceMax(tmp, a, tmp, kCount);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(gout, tmp, DataCopyExtParams{1, sizeof(float), 0, 0, 0});
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i == 77 ? 5000 : i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  return y[0] == 5000 ? 0 : 1;
}

// dst is src0, in both forms: operands coincide.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 256;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 2 * kCount * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[kCount];
  DataCopy(a, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Duplicate(b, 2.0f, kCount);
  PipeBarrier<PIPE_V>();
  Add(a, a, b, kCount);
  PipeBarrier<PIPE_V>();
  Mul(a, a, b, 64, 4, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  Div(a, a, b, 64, 4, {1, 1, 1, 8, 8, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, a, kCount);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != i + 2) return 1;
  }
}

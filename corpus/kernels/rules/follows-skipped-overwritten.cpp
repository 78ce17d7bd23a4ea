// What a skipped call would have written is written by another before it is read: nothing is
// unknown.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, kLen);
  pipe.InitBuffer(bufs, 2 * kLen * sizeof(float));
  auto all = bufs.Get<float>();
  auto a = all, b = all[kLen];
  DataCopy(a, x, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Add(b, a[4], a, 24);  //! ADD-ALIGN
  PipeBarrier<PIPE_V>();
  Adds(b, a, 1.0f, kLen);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, b, kLen);
}

int main() {
  static float x[kLen], z[kLen];
  for (int i = 0; i < kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
}

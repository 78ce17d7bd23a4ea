// The first sum is skipped: what is computed of it is unknown, lane by lane, up to global
// memory and a value that the scalar unit reads. That of the lanes beside is known.
// note KRN-APPROX
// shows: unknown: 100 bytes that leave the core depend on the call (GetValue
// shows: ; argument 2, elements 8 to 31)
// shows: not checked: 100 bytes that leave the core and depend on calls that were skipped
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
  pipe.InitBuffer(bufs, 4 * kLen * sizeof(float));
  auto all = bufs.Get<float>();
  auto a = all, b = all[kLen], c = all[2 * kLen];
  DataCopy(a, x, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(b, a, 1.0f, kLen);
  PipeBarrier<PIPE_V>();
  Add(b[8], a[4], a, 24);  //! ADD-ALIGN
  PipeBarrier<PIPE_V>();
  Muls(c, b, 2.0f, kLen);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  if (c.GetValue(8) == 1.0f) return;
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, c, kLen);
}

int main() {
  static float x[kLen], z[kLen];
  for (int i = 0; i < kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
}

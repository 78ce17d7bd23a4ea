// Bytes that are missing at two places, and bytes that a cut copy leaves out. Other bytes that
// are missing are a root cause of their own.
// follows: INIT-READ 29 from INIT-READ 28
// follows: INIT-READ 30 from DC-COUNT-FLOOR 20
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, 3 * kLen);
  z.SetGlobalBuffer((__gm__ float*)out, 3 * kLen);
  pipe.InitBuffer(bufs, 8 * kLen * sizeof(float));
  auto all = bufs.Get<float>();
  auto a = all, b = all[2 * kLen], c = all[4 * kLen], d = all[6 * kLen];
  DataCopy(a, x, kLen / 2);
  DataCopy(c, x[kLen], 12);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(b, a, 1.0f, kLen);
  Adds(b[kLen], a, 2.0f, kLen);
  Adds(c[kLen], c, 2.0f, 16);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, b, kLen);  //! INIT-READ
  DataCopy(z[kLen], b[kLen], kLen);  //! INIT-READ
  DataCopyPad(z[2 * kLen], c[kLen], DataCopyExtParams(1, 48, 0, 0, 0));  //! INIT-READ
  DataCopy(z[2 * kLen + 16], d, 16);  //! INIT-READ
}

int main() {
  static float x[3 * kLen], z[3 * kLen];
  for (int i = 0; i < 3 * kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

// Flags that break a rule order nothing: the race follows from them. A race between other
// pipes, and one that no such flag stands between, are findings of their own.
// follows: SYNC-RAW 29 from SYNC-FLAG-ID 28
// follows: SYNC-RAW 36 from SYNC-FLAG-UNSET 35
// follows: SYNC-FLAG-UNWAITED 34 from SYNC-FLAG-UNSET 35
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
  pipe.InitBuffer(bufs, 6 * kLen * sizeof(float));
  auto all = bufs.Get<float>();
  auto a = all, b = all[2 * kLen], c = all[4 * kLen];
  auto d = c[kLen];
  DataCopy(c, x[2 * kLen], kLen);
  Adds(d, c, 1.0f, kLen);  //! RAW
  SetFlag<HardEvent::V_MTE3>(EVENT_ID2);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID2);
  DataCopy(z[2 * kLen], d, kLen);
  DataCopy(a, x, kLen);
  SetFlag<HardEvent::MTE2_V>(8);  //! FLAG-ID
  WaitFlag<HardEvent::MTE2_V>(8);  //! FLAG-ID
  Adds(a, a, 1.0f, kLen);  //! RAW
  SetFlag<HardEvent::V_MTE3>(EVENT_ID3);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);
  DataCopy(z, a, kLen);
  DataCopy(b, x[kLen], kLen);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);  //! FLAG-UNWAITED
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);  //! FLAG-UNSET
  DataCopy(z[kLen], b, kLen);  //! RAW
}

int main() {
  static float x[3 * kLen], z[3 * kLen];
  for (int i = 0; i < 3 * kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
}

// The offsets are not what they would be: the call that makes them multiples of an element is
// skipped. A Gather whose offsets are wrong by themselves is a root cause.
// follows: KRN-BOUNDS 27 from MULS-ALIGN 25
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
  auto index = c.ReinterpretCast<int32_t>(), far = d.ReinterpretCast<int32_t>();
  DataCopy(a, x, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  CreateVecIndex(index, 1000000, kLen);
  CreateVecIndex(far, 2000000, kLen);
  PipeBarrier<PIPE_V>();
  Muls(index, index[1], 4, kLen);  //! MULS-ALIGN
  PipeBarrier<PIPE_V>();
  Gather(b, a, index.ReinterpretCast<uint32_t>(), 0, kLen);  //! KRN-BOUNDS
  Gather(b[kLen], a, far.ReinterpretCast<uint32_t>(), 0, kLen);  //! KRN-BOUNDS
}

int main() {
  static float x[3 * kLen], z[3 * kLen];
  for (int i = 0; i < 3 * kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

// All blocks add to an output that nothing has cleared.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64, kBlocks = 4;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, kLen * sizeof(float));
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in + GetBlockIdx() * kLen, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, kLen);
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, x, kLen);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  SetAtomicAdd<float>();
  DataCopy(z, t, kLen);  //! INIT
  SetAtomicNone();
}

int main() {
  static float x[kBlocks * kLen], z[kLen];
  for (int i = 0; i < kBlocks * kLen; ++i) x[i] = 1;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
}

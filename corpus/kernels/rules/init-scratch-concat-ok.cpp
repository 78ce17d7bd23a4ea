// The work tensors of Concat and Sort are used for nothing else; one is shorter than what is
// sorted, which the form that sorts each 32 alone allows.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs, works;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, 2 * kLen);
  pipe.InitBuffer(bufs, 8192);
  pipe.InitBuffer(works, 32);
  auto all = bufs.Get<float>();
  auto t = all, pairs = all[4 * kLen];
  auto index = all[12 * kLen].ReinterpretCast<uint32_t>();
  LocalTensor<float> concat;
  DataCopy(t, x, kLen);
  CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Concat(concat, t, works.Get<float>(), kLen / 16);
  PipeBarrier<PIPE_V>();
  Sort<float, false>(pairs, concat, index, works.Get<float>(), kLen / 32);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, pairs, 2 * kLen);
}

int main() {
  static float x[kLen], z[2 * kLen];
  for (int i = 0; i < kLen; ++i) x[i] = float(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

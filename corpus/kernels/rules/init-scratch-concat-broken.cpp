// What Concat and Sort leave in their work tensors is unspecified, also where neither is needed.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, 6 * kLen);
  pipe.InitBuffer(bufs, 16384);
  auto all = bufs.Get<float>();
  auto t = all, tmp = all[kLen], pairs = all[4 * kLen], work = all[8 * kLen];
  auto index = all[12 * kLen].ReinterpretCast<uint32_t>();
  LocalTensor<float> concat;
  DataCopy(t, x, kLen);
  Duplicate(tmp, 0.0f, 2 * kLen);
  Duplicate(work, 0.0f, 3 * kLen);
  CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  PipeBarrier<PIPE_V>();
  Concat(concat, t, tmp, kLen / 16);
  PipeBarrier<PIPE_V>();
  Sort<float, false>(pairs, concat, index, work, kLen / 32);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, tmp, 2 * kLen);  //! INIT-READ
  DataCopy(z[2 * kLen], work, 3 * kLen);  //! INIT-READ
  DataCopy(z[5 * kLen], tmp[kLen], kLen);
}

int main() {
  static float x[kLen], z[6 * kLen];
  for (int i = 0; i < kLen; ++i) x[i] = float(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

// What ReduceMax and Sort leave in their work tensors is unspecified: a source that is one is gone.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 256;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, 4 * kLen);
  pipe.InitBuffer(bufs, 16384);
  auto all = bufs.Get<float>();
  auto t = all, work = all[kLen], y = all[2 * kLen], most = all[3 * kLen], pairs = all[4 * kLen], tmp = all[8 * kLen];
  auto index = all[12 * kLen].ReinterpretCast<uint32_t>();
  DataCopy(t, x, kLen);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, kLen);
  Duplicate(tmp, 0.0f, 2 * kLen);
  PipeBarrier<PIPE_V>();
  Sort<float, true>(pairs, t, index, tmp, kLen / 32);
  PipeBarrier<PIPE_V>();
  ReduceMax(most, t, t, kLen);
  PipeBarrier<PIPE_V>();
  Adds(y, t, 1.0f, kLen);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, y, kLen);  //! INIT
  DataCopy(z[kLen], tmp, 2 * kLen);  //! INIT
  DataCopyPad(z[3 * kLen], most, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
}

int main() {
  static float x[kLen], z[4 * kLen];
  for (int i = 0; i < kLen; ++i) x[i] = float(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

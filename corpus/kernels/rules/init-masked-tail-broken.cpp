// One lane that nothing has written is chosen: by Select, and by GatherMask.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kUsed = 40, kAll = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kUsed);
  z.SetGlobalBuffer((__gm__ float*)out, 17 + kUsed);
  pipe.InitBuffer(bufs, 2048);
  auto all = bufs.Get<float>();
  auto t = all, lane = all[64], y = all[128], most = all[192], work = all[256], packed = all[320];
  auto used = all[448].ReinterpretCast<uint8_t>();
  DataCopy(t, x, kUsed);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  CreateVecIndex(lane, 0.0f, kAll);
  PipeBarrier<PIPE_V>();
  CompareScalar(used, lane, float(kUsed), CMPMODE::LE, kAll);
  PipeBarrier<PIPE_V>();
  Select(y, used, t, -1000.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kAll);
  PipeBarrier<PIPE_V>();
  ReduceMax(most, y, work, kAll);
  uint64_t kept = 0;
  GatherMask(packed, t, used.ReinterpretCast<uint32_t>(), false, 0, {1, 1, 8, 1}, kept);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(z, most, DataCopyExtParams(1, sizeof(float), 0, 0, 0));  //! INIT
  DataCopyPad(z[16], packed, DataCopyExtParams(1, kept * sizeof(float), 0, 0, 0));  //! INIT
}

int main() {
  static float x[kUsed], z[17 + kUsed];
  for (int i = 0; i < kUsed; ++i) x[i] = float(i % 7);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}
// follows: INIT-READ 32 from INIT-READ 31

// The register of compare masks has a bit for each lane: lanes that were unwritten stay apart.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kUsed = 40, kAll = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kUsed);
  z.SetGlobalBuffer((__gm__ float*)out, kUsed);
  pipe.InitBuffer(bufs, 1024);
  auto all = bufs.Get<float>();
  auto t = all, ones = all[64], y = all[128];
  auto bits = all[192].ReinterpretCast<uint8_t>();
  DataCopy(t, x, kUsed);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Duplicate(ones, 1.0f, kAll);
  PipeBarrier<PIPE_V>();
  Compare(t, ones, CMPMODE::GT, kAll, {1, 1, 1, 8, 8, 8});
  PipeBarrier<PIPE_V>();
  GetCmpMask(bits);
  PipeBarrier<PIPE_V>();
  Select(y, bits, t, ones, SELMODE::VSEL_CMPMASK_SPR, kAll, 1, {1, 1, 1, 8, 8, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(z, y, kUsed);
}

int main() {
  static float x[kUsed], z[kUsed];
  for (int i = 0; i < kUsed; ++i) x[i] = float(i % 7);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
  return z[0] == 1 && z[39] == 4 ? 0 : 1;
}

// Elements that nothing has written may be gathered, and lanes beside the mask have no offset.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, 56);
  z.SetGlobalBuffer((__gm__ float*)out, 8);
  pipe.InitBuffer(bufs, 2048);
  auto t = bufs.Get<float>();
  auto offsets = t[128].ReinterpretCast<uint32_t>();
  DataCopy(t, x, 56);
  for (uint32_t i = 0; i < 16; ++i) offsets.SetValue(i, 4 * (48 + i));
  PipeBarrier<PIPE_ALL>();
  Gather(t[256], t, offsets, 0, uint64_t{16}, 1, 8);
  ResetMask();
  PipeBarrier<PIPE_ALL>();
  DataCopy(z, t[256], 8);
}

int main() {
  static float x[56], z[8];
  x[55] = 3;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
  return z[7] == 3 ? 0 : 1;
}

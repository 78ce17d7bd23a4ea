// Results that are computed from one DataBlock, pair, row or column each: those of unwritten ones are
// not stored. 40 floats of 64 are copied in, ten rows of four halves of a matrix.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kUsed = 40, kAll = 64, kBlocks = kUsed / 8;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x, z;
  GlobalTensor<half> columns;
  GlobalTensor<uint32_t> rows;
  x.SetGlobalBuffer((__gm__ float*)in, kUsed);
  z.SetGlobalBuffer((__gm__ float*)out, 128);
  columns.SetGlobalBuffer((__gm__ half*)out + 256, 160);
  rows.SetGlobalBuffer((__gm__ uint32_t*)out + 208, kUsed);
  pipe.InitBuffer(bufs, 8192);
  auto all = bufs.Get<float>();
  auto t = all, most = all[128], sums = all[192], spread = all[256], matrix = all[512], turned = all[640];
  auto offsets = all[768].ReinterpretCast<uint32_t>(), gathered = all[1024].ReinterpretCast<uint32_t>();
  DataCopy(t, x, kUsed);
  for (int32_t i = 0; i < 8; ++i) offsets.SetValue(i, 32 * i);
  // Five DataBlocks of eight floats are five rows of 16 halves.
  DataCopy(matrix, x, kUsed);
  PipeBarrier<PIPE_ALL>();
  BlockReduceMax<float>(most, t, 1, kAll, 1, 1, 8);
  PairReduceSum<float>(sums, t, 1, kAll, 1, 1, 8);
  Brcb(spread, t[32], 2, {1, 8});
  Gatherb(gathered, t.ReinterpretCast<uint32_t>(), offsets, 1, {1, 8});
  Transpose(turned.ReinterpretCast<half>(), matrix.ReinterpretCast<half>());
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(z, most, DataCopyExtParams(1, kBlocks * sizeof(float), 0, 0, 0));
  DataCopyPad(z[8], sums, DataCopyExtParams(1, kUsed / 2 * sizeof(float), 0, 0, 0));
  DataCopy(z[32], spread, kAll);
  DataCopyPad(columns, turned.ReinterpretCast<half>(), DataCopyExtParams(16, kBlocks * sizeof(half), 0, 0, 0));
  DataCopy(rows, gathered, kUsed);
}

int main() {
  static float x[kUsed], z[256];
  for (int i = 0; i < kUsed; ++i) x[i] = float(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
  return z[4] == 39 && z[8 + 19] == 77 && z[32 + 63] == 39 && z[208 + 39] == 39 ? 0 : 1;
}

// One result more than was computed from written bytes leaves the core, of each call.
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
  rows.SetGlobalBuffer((__gm__ uint32_t*)out + 208, kAll);
  pipe.InitBuffer(bufs, 8192);
  auto all = bufs.Get<float>();
  auto t = all, most = all[128], sums = all[192], spread = all[256], matrix = all[512], turned = all[640];
  auto offsets = all[768].ReinterpretCast<uint32_t>(), gathered = all[1024].ReinterpretCast<uint32_t>();
  DataCopy(t, x, kUsed);
  for (int32_t i = 0; i < 8; ++i) offsets.SetValue(i, 32 * i);
  DataCopy(matrix, x, kUsed);
  PipeBarrier<PIPE_ALL>();
  BlockReduceMax<float>(most, t, 1, kAll, 1, 1, 8);
  PairReduceSum<float>(sums, t, 1, kAll, 1, 1, 8);
  Brcb(spread, t[32], 2, {1, 8});
  Gatherb(gathered, t.ReinterpretCast<uint32_t>(), offsets, 1, {1, 8});
  Transpose(turned.ReinterpretCast<half>(), matrix.ReinterpretCast<half>());
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(z, most, DataCopyExtParams(1, (kBlocks + 1) * sizeof(float), 0, 0, 0));                       //! INIT
  DataCopyPad(z[8], sums, DataCopyExtParams(1, (kUsed / 2 + 1) * sizeof(float), 0, 0, 0));                  //! INIT
  DataCopy(z[32], spread, kAll + 8);                                                                        //! INIT
  DataCopyPad(columns, turned.ReinterpretCast<half>(), DataCopyExtParams(1, (kBlocks + 1) * sizeof(half), 0, 0, 0));  //! INIT
  DataCopy(rows, gathered, kUsed + 8);                                                                      //! INIT
}

int main() {
  static float x[kUsed], z[288];
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}
// follows: INIT-READ 32 from INIT-READ 31
// follows: INIT-READ 33 from INIT-READ 31
// follows: INIT-READ 35 from INIT-READ 31

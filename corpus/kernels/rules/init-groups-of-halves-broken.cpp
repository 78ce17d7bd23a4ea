// Four of eight DataBlocks are written: the fifth sum, the 33rd of a pair, the fifth copy and
// the fifth column of the transpose are not known.
// follows: INIT-READ 32 from INIT-READ 31
// follows: INIT-READ 33 from INIT-READ 31
// follows: INIT-READ 34 from INIT-READ 31
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<half> x, z;
  x.SetGlobalBuffer((__gm__ half*)in, 128);
  z.SetGlobalBuffer((__gm__ half*)out, 1024);
  pipe.InitBuffer(bufs, 8192);
  auto all = bufs.Get<half>();
  auto t = all, sums = all[256], pairs = all[512], rows = all[768], spread = all[1024];
  DataCopy(t, x, 64);
  DataCopy(t[128], x, 128);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  BlockReduceSum(sums, t, 1, 128, 1, 1, 8);
  PairReduceSum(pairs, t, 1, 128, 1, 1, 8);
  Transpose(rows, t);
  PipeBarrier<PIPE_V>();
  Brcb(spread, sums, 1, {1, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(z, sums, DataCopyExtParams(1, 10, 0, 0, 0));  //! INIT-READ
  DataCopy(z[16], pairs, 48);  //! INIT-READ
  DataCopyPad(z[64], rows, DataCopyExtParams(1, 10, 0, 0, 0));  //! INIT-READ
  DataCopy(z[512], spread, 80);  //! INIT-READ
}

int main() {
  static half x[128], z[1024];
  for (int i = 0; i < 128; ++i) x[i] = half(i % 7);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

// Rows of 48 bytes copied out by whole DataBlocks: a third of each stays unwritten.
// note DC-COUNT-FLOOR
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kRank = 12, kRows = 4;

void Kernel(GM_ADDR in, GM_ADDR out, GM_ADDR sums) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  GlobalTensor<float> x, y, z;
  x.SetGlobalBuffer((__gm__ float*)in, 16 * kRows);
  y.SetGlobalBuffer((__gm__ float*)out, kRank * kRows);
  z.SetGlobalBuffer((__gm__ float*)sums, 64);
  pipe.InitBuffer(queue, 1, 64);
  for (int32_t r = 0; r < kRows; ++r) {
    auto t = queue.AllocTensor<float>();
    DataCopy(t, x[r * 16], 16);
    queue.EnQue(t);
    t = queue.DeQue<float>();
    DataCopy(y[kRank * r], t, kRank);
    DataCopy(z[16 * r], t, 8);
    queue.FreeTensor(t);
  }
}

int main() {
  static float x[64], y[48], z[64];
  for (int i = 0; i < 64; ++i) x[i] = float(i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(y, sizeof y), lanediff::Gm(z, sizeof z));  //! INIT
}
// follows: INIT-OUTPUT 30 from DC-COUNT-FLOOR 21

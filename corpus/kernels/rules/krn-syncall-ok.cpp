// All blocks equally often; the soft form with 32 bytes a block in GM, 0, and in UB.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 3;
static int32_t workspace[8 * kBlocks];

void Kernel(GM_ADDR space) {
  TPipe pipe;
  TBuf<> buf, ub;
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)space, 8 * kBlocks);
  pipe.InitBuffer(buf, 32);
  pipe.InitBuffer(ub, 32 * kBlocks);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  SyncAll();
  SyncAll(gm, ub.Get<int32_t>());
}

int main() { lanediff::Launch(Kernel, kBlocks, lanediff::Gm(workspace, sizeof workspace)); }

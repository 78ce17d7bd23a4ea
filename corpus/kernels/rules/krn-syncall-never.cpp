// The last block never comes to SyncAll: the block that waits for it stands first.
#include "kernel_operator.h"
using namespace AscendC;

static float x[16];

void Kernel(GM_ADDR gm) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float*)gm);
  DataCopy(buf.Get<float>(), g[8 * GetBlockIdx()], 8);
  if (GetBlockIdx() == 0) SyncAll();  //! KRN-SYNCALL
}

int main() { lanediff::Launch(Kernel, 2, lanediff::Gm(x, sizeof x)); }

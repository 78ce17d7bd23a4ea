// Pattern 13: the offset leaves the block's number out, and both write one tile.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64, kBlocks = 2;
static float y[kTile * kBlocks];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> que;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(que, 1, kTile * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  Duplicate(t, float(GetBlockIdx()), kTile);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout, t, kTile);  //! KRN-GM-CONFLICT
  que.FreeTensor(t);
}

int main() { lanediff::Launch(Kernel, kBlocks, lanediff::Gm(y, sizeof y)); }

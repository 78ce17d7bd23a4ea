// Four blocks write 12 bytes each, side by side: exact copies share no byte.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 4, kPiece = 3;
static float x[kBlocks * kPiece], y[kBlocks * kPiece];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  GlobalTensor<float> gin, gout;
  const int from = GetBlockIdx() * kPiece;
  gin.SetGlobalBuffer((__gm__ float*)in + from, kPiece);
  gout.SetGlobalBuffer((__gm__ float*)out + from, kPiece);
  pipe.InitBuffer(que, 1, 32);
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopyExtParams params{1, kPiece * sizeof(float), 0, 0, 0};
  DataCopyPad(t, gin, params, DataCopyPadExtParams<float>{});
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(gout, t, params);
  que.FreeTensor(t);
}

int main() {
  for (int i = 0; i < kBlocks * kPiece; ++i) x[i] = i;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kBlocks * kPiece; ++i) {
    if (y[i] != i) return 1;
  }
}

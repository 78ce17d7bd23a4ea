// Two blocks a queue: the next tile is copied in before this one is computed.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 128, kTiles = 5;
static float x[kTile * kTiles], y[kTile * kTiles];

class Op {
 public:
  void Process(GM_ADDR x, GM_ADDR y) {
    gx_.SetGlobalBuffer((__gm__ float*)x);
    gy_.SetGlobalBuffer((__gm__ float*)y);
    pipe_.InitBuffer(qx_, 2, kTile * sizeof(float));
    pipe_.InitBuffer(qy_, 2, kTile * sizeof(float));
    CopyIn(0);
    for (int i = 0; i < kTiles; ++i) {
      if (i + 1 < kTiles) CopyIn(i + 1);
      Compute();
      CopyOut(i);
    }
  }

 private:
  void CopyIn(int i) {
    LocalTensor<float> a = qx_.AllocTensor<float>();
    DataCopy(a, gx_[i * kTile], kTile);
    qx_.EnQue(a);
  }
  void Compute() {
    LocalTensor<float> a = qx_.DeQue<float>();
    LocalTensor<float> b = qy_.AllocTensor<float>();
    Mul(b, a, a, kTile);
    PipeBarrier<PIPE_V>();
    Add(b, b, a, kTile);
    qy_.EnQue(b);
    qx_.FreeTensor(a);
  }
  void CopyOut(int i) {
    LocalTensor<float> b = qy_.DeQue<float>();
    DataCopy(gy_[i * kTile], b, kTile);
    qy_.FreeTensor(b);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> qx_;
  TQue<TPosition::VECOUT, 2> qy_;
  GlobalTensor<float> gx_, gy_;
};

void Kernel(GM_ADDR x, GM_ADDR y) { Op().Process(x, y); }

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (y[i] != x[i] * x[i] + x[i]) return 1;
  }
}

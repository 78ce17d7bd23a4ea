// Addition, one block a queue.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 256, kTiles = 4, kBlocks = 2, kAll = kTile * kTiles * kBlocks;
static float x[kAll], y[kAll], z[kAll];

class Op {
 public:
  void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const int from = GetBlockIdx() * kTile * kTiles;
    gx_.SetGlobalBuffer((__gm__ float*)x + from, kTile * kTiles);
    gy_.SetGlobalBuffer((__gm__ float*)y + from, kTile * kTiles);
    gz_.SetGlobalBuffer((__gm__ float*)z + from, kTile * kTiles);
    pipe_.InitBuffer(qx_, 1, kTile * sizeof(float));
    pipe_.InitBuffer(qy_, 1, kTile * sizeof(float));
    pipe_.InitBuffer(qz_, 1, kTile * sizeof(float));
  }
  void Process() {
    for (int i = 0; i < kTiles; ++i) {
      CopyIn(i);
      Compute();
      CopyOut(i);
    }
  }

 private:
  void CopyIn(int i) {
    LocalTensor<float> a = qx_.AllocTensor<float>();
    LocalTensor<float> b = qy_.AllocTensor<float>();
    DataCopy(a, gx_[i * kTile], kTile);
    DataCopy(b, gy_[i * kTile], kTile);
    qx_.EnQue(a);
    qy_.EnQue(b);
  }
  void Compute() {
    LocalTensor<float> a = qx_.DeQue<float>();
    LocalTensor<float> b = qy_.DeQue<float>();
    LocalTensor<float> c = qz_.AllocTensor<float>();
    Add(c, a, b, kTile);
    qz_.EnQue(c);
    qx_.FreeTensor(a);
    qy_.FreeTensor(b);
  }
  void CopyOut(int i) {
    LocalTensor<float> c = qz_.DeQue<float>();
    DataCopy(gz_[i * kTile], c, kTile);
    qz_.FreeTensor(c);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 1> qx_, qy_;
  TQue<TPosition::VECOUT, 1> qz_;
  GlobalTensor<float> gx_, gy_, gz_;
};

void Kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  Op op;
  op.Init(x, y, z);
  op.Process();
}

int main() {
  for (int i = 0; i < kAll; ++i) x[i] = i, y[i] = 3 * i;
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  for (int i = 0; i < kAll; ++i) {
    if (z[i] != x[i] + y[i]) return 1;
  }
}

// Two queues at VECIN: what one does orders nothing of the other, and need not.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 256, kTiles = 3;
static float x[kTile * kTiles], y[kTile * kTiles], z[kTile * kTiles];

void Kernel(GM_ADDR in0, GM_ADDR in1, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> q0, q1;
  TQue<TPosition::VECOUT, 1> q2;
  GlobalTensor<float> g0, g1, g2;
  g0.SetGlobalBuffer((__gm__ float*)in0);
  g1.SetGlobalBuffer((__gm__ float*)in1);
  g2.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(q0, 2, kTile * sizeof(float));
  pipe.InitBuffer(q1, 1, kTile * sizeof(float));
  pipe.InitBuffer(q2, 2, kTile * sizeof(float));
  for (int i = 0; i < kTiles; ++i) {
    LocalTensor<float> b = q1.AllocTensor<float>();
    LocalTensor<float> a = q0.AllocTensor<float>();
    DataCopy(a, g0[i * kTile], kTile);
    DataCopy(b, g1[i * kTile], kTile);
    q0.EnQue(a);
    q1.EnQue(b);
    b = q1.DeQue<float>();
    a = q0.DeQue<float>();
    LocalTensor<float> c = q2.AllocTensor<float>();
    Add(c, a, b, kTile);
    q2.EnQue(c);
    q1.FreeTensor(b);
    q0.FreeTensor(a);
    c = q2.DeQue<float>();
    DataCopy(g2[i * kTile], c, kTile);
    q2.FreeTensor(c);
  }
}

int main() {
  for (int i = 0; i < kTile * kTiles; ++i) x[i] = i, y[i] = 2 * i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  for (int i = 0; i < kTile * kTiles; ++i) {
    if (z[i] != 3 * i) return 1;
  }
}

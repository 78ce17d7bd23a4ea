// A queue of one buffer hands out the same bytes again: what an earlier use left there is a
// note.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float y[kTile * 2];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out, kTile * 2);
  pipe.InitBuffer(qout, 1, kTile * sizeof(float));
  for (int i = 0; i < 2; ++i) {
    LocalTensor<float> b = qout.AllocTensor<float>();
    if (i == 0) Duplicate(b, 1.0f, kTile);
    qout.EnQue(b);
    b = qout.DeQue<float>();
    DataCopy(gout[i * kTile], b, kTile);
    qout.FreeTensor(b);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

// Pattern 10: 100 elements are needed, 104 are asked for so that it is a multiple of 32
// bytes, and the result has room for 100.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 100, kRounded = (kCount + 7) / 8 * 8;
static float y[kCount];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> que;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(que, 1, kRounded * sizeof(float));
  LocalTensor<float> t = que.AllocTensor<float>();
  Duplicate(t, 1.0f, kRounded);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(gout, t, kRounded);  //! DC-BOUNDS
  que.FreeTensor(t);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }

// What is used after FreeTensor is in a race with the next use of the buffer: that follows.
// follows: SYNC-WAR 19 from KRN-FREED 24
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> qin;
  TQue<TPosition::VECOUT, 2> qout;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, 3 * kLen);
  z.SetGlobalBuffer((__gm__ float*)out, 3 * kLen);
  pipe.InitBuffer(qin, 2, kLen * sizeof(float));
  pipe.InitBuffer(qout, 2, kLen * sizeof(float));
  for (int i = 0; i < 3; ++i) {
    auto a = qin.AllocTensor<float>();
    DataCopy(a, x[i * kLen], kLen);  //! SYNC-WAR
    qin.EnQue(a);
    a = qin.DeQue<float>();
    qin.FreeTensor(a);
    auto b = qout.AllocTensor<float>();
    Adds(b, a, 1.0f, kLen);  //! KRN-FREED
    qout.EnQue(b);
    b = qout.DeQue<float>();
    DataCopy(z[i * kLen], b, kLen);
    qout.FreeTensor(b);
  }
}

int main() {
  static float x[3 * kLen], z[3 * kLen];
  for (int i = 0; i < 3 * kLen; ++i) x[i] = float(i + 1);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(z, sizeof z));
}

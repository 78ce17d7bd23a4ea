// Calls that are given as pointers to functions of the vendor's type, as template arguments and
// as arguments of a function, with count and with mask.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 256;
static float x[kCount], y[kCount], z[kCount];

template <typename T>
using Binary = void(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<T>&,
                    const int32_t&);
template <typename T>
using Scalar = void(const LocalTensor<T>&, const LocalTensor<T>&, const T&, const int32_t&);

template <typename T, Binary<T>* binary, Scalar<T>* scalar>
void Compute(const LocalTensor<T>& dst, const LocalTensor<T>& a, const LocalTensor<T>& b) {
  binary(dst, a, b, kCount);
  PipeBarrier<PIPE_V>();
  scalar(dst, dst, T(2), kCount);
  PipeBarrier<PIPE_V>();
}

void Masked(const LocalTensor<float>& dst, const LocalTensor<float>& src,
            void (*function)(const LocalTensor<float>&, const LocalTensor<float>&,
                             const LocalTensor<float>&, uint64_t, const uint8_t,
                             const BinaryRepeatParams&),
            uint64_t mask) {
  function(dst, dst, src, mask, kCount / 64, {1, 1, 1, 8, 8, 8});
}

void Kernel(GM_ADDR in_x, GM_ADDR in_y, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<float> gx, gy, gz;
  gx.SetGlobalBuffer((__gm__ float*)in_x);
  gy.SetGlobalBuffer((__gm__ float*)in_y);
  gz.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(qin, 1, 2 * kCount * sizeof(float));
  pipe.InitBuffer(qout, 1, kCount * sizeof(float));
  LocalTensor<float> a = qin.AllocTensor<float>();
  DataCopy(a, gx, kCount);
  DataCopy(a[kCount], gy, kCount);
  qin.EnQue(a);
  a = qin.DeQue<float>();
  LocalTensor<float> c = qout.AllocTensor<float>();
  Compute<float, Min<float>, Muls<float>>(c, a, a[kCount]);
  Masked(c, a, Add, 64);
  PipeBarrier<PIPE_V>();
  SetVectorMask<float>(0, 3);
  Masked(c, a, Sub<float, false>, MASK_PLACEHOLDER);
  ResetMask();
  qout.EnQue(c);
  qin.FreeTensor(a);
  c = qout.DeQue<float>();
  DataCopy(gz, c, kCount);
  qout.FreeTensor(c);
}

int main() {
  for (int i = 0; i < kCount; ++i) {
    x[i] = i;
    y[i] = 100;
  }
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y),
                   lanediff::Gm(z, sizeof z));
  for (int i = 0; i < kCount; ++i) {
    const float sum = 2 * (x[i] < 100 ? x[i] : 100) + x[i];
    if (z[i] != (i % 64 < 2 ? sum - x[i] : sum)) return 1;
  }
}

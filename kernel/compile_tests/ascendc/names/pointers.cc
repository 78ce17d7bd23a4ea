// Names of functions where one of the vendor's type is requested, which has no
// place: as template arguments, with and without types, and as arguments.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
using Two = void(const LocalTensor<T>&, const LocalTensor<T>&,
                 const LocalTensor<T>&, const int32_t&);
template <typename T>
using One = void(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t&);
template <typename T>
using Number = void(const LocalTensor<T>&, const LocalTensor<T>&, const T&,
                    const int32_t&);
template <typename T>
using Masked = void(const LocalTensor<T>&, const LocalTensor<T>&,
                    const LocalTensor<T>&, uint64_t, const uint8_t,
                    const BinaryRepeatParams&);
using Bits = void (*)(const LocalTensor<float>&, const LocalTensor<float>&,
                      uint64_t*, const uint8_t, const UnaryRepeatParams&);

template <typename T, Two<T>* two, One<T>* one, Number<T>* number,
          Masked<T>* masked>
void Apply(const LocalTensor<T>& t) {
  two(t, t, t, 64);
  one(t, t, 64);
  number(t, t, T(1), 64);
  masked(t, t, t, 64, 1, {1, 1, 1, 8, 8, 8});
}

void Unary(const LocalTensor<float>& t, Bits function) {
  uint64_t mask[2] = {1, 0};
  function(t, t, mask, 1, {1, 1, 8, 8});
}

extern "C" __global__ __aicore__ void pointers(GM_ADDR) {
  LocalTensor<half> h;
  LocalTensor<float> f;
  Apply<half, Min<half>, Abs<half>, Adds<half>, Max<half, false>>(h);
  Apply<float, Add, Ln, Muls, Div>(f);
  Apply<float, ReduceSum<float>, Exp, LeakyRelu<float, true>, Max>(f);
  Unary(f, Exp<float, false>);
  Unary(f, Sqrt);
  void (*cast)(const LocalTensor<float>&, const LocalTensor<half>&,
               const RoundMode&, const uint32_t&) = Cast<float, half>;
  cast(f, h, RoundMode::CAST_NONE, 64);
  void (*axpy)(const LocalTensor<float>&, const LocalTensor<half>&, const half&,
               const int32_t&) = Axpy;
  axpy(f, h, half(2), 64);
  void (*fill)(const LocalTensor<half>&, const half&, const int32_t&) =
      Duplicate<half>;
  fill(h, half(1), 64);
}

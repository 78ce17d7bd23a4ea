// Element-wise calls: kernels that are wrong in special values, and those that
// compare in another way.

#include "emulator/mutants/elementwise_kernels.h"

namespace lanediff::mutants {
namespace {

using emulator::FloatToHalf;
using emulator::HalfToFloat;

template <class Call>
Table Halves() {
  using Real = RealValue<Call>;
  return {
      OfHalf<Call>({"half-not-saturated", isa::state::kSaturation,
                    "leaves infinities and NaN as they are"},
                   [](H a, H b, bool) { return Real::Half(a, b, false); }),
      OfHalf<Call>({"half-saturates-upward-only", isa::state::kSaturation,
                    "leaves -inf as it is", "a clamp with one bound"},
                   [](H a, H b, bool saturation) {
                     const H value = Real::Half(a, b, false);
                     return value == 0xfc00u ? value
                                             : Saturated(value, saturation);
                   }),
      OfHalf<Call>({"half-nan-becomes-bound", isa::state::kSaturation,
                    "makes NaN 65504 in saturation mode"},
                   [](H a, H b, bool saturation) {
                     const H value = Real::Half(a, b, false);
                     return saturation && IsNan(value)
                                ? emulator::kHalfMax
                                : Saturated(value, saturation);
                   }),
      OfHalf<Call>({"half-subnormals-flushed", isa::arith::kSubnormal,
                    "makes subnormal halves zero",
                    "halves widened by hardware with DAZ set"},
                   [](H a, H b, bool saturation) {
                     return Real::Half(FlushedHalf(a), FlushedHalf(b),
                                       saturation);
                   }),
      OfHalf<Call>({"half-nan-dropped", isa::arith::kNan,
                    "gives the number where the other operand is NaN",
                    "fminf() and minimumNumber"},
                   [](H a, H b, bool saturation) {
                     if (IsNan(a)) return Saturated(b, saturation);
                     return IsNan(b) ? Saturated(a, saturation)
                                     : Real::Half(a, b, saturation);
                   }),
  };
}

template <class Call>
Table Floats() {
  using Real = RealValue<Call>;
  return {
      OfFloat<Call>({"float-nan-dropped", isa::arith::kNan,
                     "gives the number where the other operand is NaN",
                     "fminf() and minimumNumber"},
                    [](F a, F b, bool) {
                      if (IsNan(a)) return b;
                      return IsNan(b) ? a : Real::Float(a, b, false);
                    }),
      OfFloat<Call>({"float-nan-second-operand", isa::arith::kNan,
                     "gives the second operand where either is NaN",
                     "the MINPS instruction"},
                    [](F a, F b, bool) {
                      return IsNan(a) || IsNan(b) ? b
                                                  : Real::Float(a, b, false);
                    }),
      OfFloat<Call>({"float-subnormals-flushed", isa::arith::kSubnormal,
                     "makes subnormal floats zero", "FTZ and DAZ mode"},
                    [](F a, F b, bool) {
                      return Real::Float(FlushedFloat(a), FlushedFloat(b),
                                         false);
                    }),
      OfFloat<Call>({"float-saturated", isa::state::kSaturation,
                     "makes an infinite float the largest finite one",
                     "saturation mode applied to every type"},
                    [](F a, F b, bool saturation) {
                      const F value = Real::Float(a, b, false);
                      const bool infinite =
                          (value & 0x7fffffffu) == 0x7f800000u;
                      return saturation && infinite ? value - 1 : value;
                    }),
  };
}

/// Of two the one that Min or Max gives where `first_less` is their order.
template <class Call, class T>
T Chosen(bool first_less, T a, T b) {
  return first_less == std::same_as<Call, isa::Min> ? a : b;
}

/// Min and Max of floating values, otherwise.
template <class Call>
Table Comparisons() {
  using Real = RealValue<Call>;
  using rule = RulesOf<Call>;
  return {
      OfHalf<Call>({"half-compared-as-integers", rule::kValue,
                    "compares halves as signed integers: negative ones the "
                    "wrong way round"},
                   [](H a, H b, bool saturation) {
                     if (IsNan(a) || IsNan(b)) {
                       return Real::Half(a, b, saturation);
                     }
                     const bool less = std::bit_cast<std::int16_t>(a) <
                                       std::bit_cast<std::int16_t>(b);
                     return Saturated(Chosen<Call>(less, a, b), saturation);
                   }),
      OfHalf<Call>({"half-zero-sign-by-order", isa::arith::kZeroSign,
                    "gives the first operand of +0 and -0", "a < b ? a : b"},
                   [](H a, H b, bool saturation) {
                     return ((a | b) & 0x7fffu) == 0
                                ? a
                                : Real::Half(a, b, saturation);
                   }),
      OfFloat<Call>(
          {"float-zero-sign-by-order", isa::arith::kZeroSign,
           "gives the second operand of +0 and -0", "the MINPS instruction"},
          [](F a, F b, bool) {
            return ((a | b) & 0x7fffffffu) == 0 ? b : Real::Float(a, b, false);
          }),
      OfFloat<Call>({"float-through-half", isa::arith::kRound,
                     "compares floats rounded to half",
                     "a comparison on the 16-bit path"},
                    [](F a, F b, bool) {
                      const float x = HalfToFloat(FloatToHalf(FloatOf(a)));
                      const float y = HalfToFloat(FloatToHalf(FloatOf(b)));
                      if (IsNan(a) || IsNan(b) || x == 0 || y == 0) {
                        return Real::Float(a, b, false);
                      }
                      return Chosen<Call>(!(y < x), a, b);
                    }),
  };
}

/// Min and Max of integers, otherwise.
template <class Call>
Table Integers() {
  using rule = RulesOf<Call>;
  return {
      OfInt16<Call>(
          {"int16-unsigned", rule::kValue, "compares int16 without sign"},
          [](std::int16_t a, std::int16_t b, bool) {
            return Chosen<Call>(std::bit_cast<H>(a) < std::bit_cast<H>(b), a,
                                b);
          }),
      OfInt16<Call>({"int16-by-difference", rule::kValue,
                     "compares int16 by the sign of a difference of 16 bits",
                     "a - b < 0, which wraps"},
                    [](std::int16_t a, std::int16_t b, bool) {
                      return Chosen<Call>(static_cast<std::int16_t>(a - b) < 0,
                                          a, b);
                    }),
      OfInt32<Call>({"int32-through-float", rule::kValue,
                     "compares int32 as floats, which lose the last bits",
                     "a vector unit without an integer comparison"},
                    [](std::int32_t a, std::int32_t b, bool) {
                      return Chosen<Call>(
                          !(static_cast<float>(b) < static_cast<float>(a)), a,
                          b);
                    }),
      OfInt32<Call>({"int32-by-difference", rule::kValue,
                     "compares int32 by the sign of a difference of 32 bits",
                     "a - b < 0, which wraps"},
                    [](std::int32_t a, std::int32_t b, bool) {
                      const F difference =
                          static_cast<F>(a) - static_cast<F>(b);
                      return Chosen<Call>((difference >> 31) != 0, a, b);
                    }),
  };
}

/// Min for Max and the other way round.
Table Confusions() {
  return {
      OfInt32<isa::Min>(
          {"int32-max-for-min", isa::min::kValue,
           "gives the larger of two int32"},
          [](std::int32_t a, std::int32_t b, bool) { return std::max(a, b); }),
      OfInt32<isa::Max>(
          {"int32-min-for-max", isa::max::kValue,
           "gives the smaller of two int32"},
          [](std::int32_t a, std::int32_t b, bool) { return std::min(a, b); }),
  };
}

}  // namespace

Table ElementwiseKernels() {
  return Joined(OfEachElementwise([]<class Call>() {
                  const Table special = Joined(Halves<Call>(), Floats<Call>());
                  if constexpr (kGivesOneOfTwo<Call>) {
                    return Joined(special, Comparisons<Call>(),
                                  Integers<Call>());
                  } else {
                    return special;
                  }
                }),
                Confusions(), ElementwiseResultKernels());
}

}  // namespace lanediff::mutants

// Add, Sub, Mul: kernels that round or overflow in another way.

#include <cmath>
#include <limits>

#include "emulator/mutants/elementwise_kernels.h"

namespace lanediff::mutants {
namespace {

using emulator::FloatToHalf;
using emulator::HalfToFloat;

/// The result of two halves before it is rounded to half.
template <class Call>
float Unrounded(H a, H b) {
  return FloatOf(RealValue<Call>::Float(BitsOf(HalfToFloat(a)),
                                        BitsOf(HalfToFloat(b)), false));
}

/// The result of two integers of at most 32 bits.
template <class Call>
std::int64_t Exact(std::int64_t a, std::int64_t b) {
  return RealValue<Call>::template Integer<std::int64_t>(a, b, false);
}

template <class Call>
Table Roundings() {
  using Real = RealValue<Call>;
  return {
      OfHalf<Call>(
          {"half-truncates", isa::arith::kRound, "rounds halves toward zero",
           "f16 conversion by truncation in a SIMD back end"},
          [](H a, H b, bool saturation) {
            return Saturated(TruncatedToHalf(Unrounded<Call>(a, b)),
                             saturation);
          }),
      OfHalf<Call>({"half-rounds-half-up", isa::arith::kRound,
                    "rounds ties of halves away from zero",
                    "f16 conversion that adds half a unit and cuts"},
                   [](H a, H b, bool saturation) {
                     return Saturated(HalfUp(Unrounded<Call>(a, b)),
                                      saturation);
                   }),
      OfHalf<Call>({"half-subnormal-results-flushed", isa::arith::kSubnormal,
                    "makes a subnormal result of halves zero"},
                   [](H a, H b, bool saturation) {
                     return FlushedHalf(Real::Half(a, b, saturation));
                   }),
      OfFloat<Call>({"float-subnormal-results-flushed", isa::arith::kSubnormal,
                     "makes a subnormal result of floats zero", "FTZ mode"},
                    [](F a, F b, bool) {
                      return FlushedFloat(Real::Float(a, b, false));
                    }),
      OfFloat<Call>(
          {"float-through-half", isa::arith::kRound,
           "rounds finite results of floats to half where one is near",
           "a result on the 16-bit path"},
          [](F a, F b, bool) {
            const F result = Real::Float(a, b, false);
            const float half = HalfToFloat(FloatToHalf(FloatOf(result)));
            return std::isfinite(half) && half != 0 ? BitsOf(half) : result;
          }),
      OfFloat<Call>({"float-last-bit-lost", isa::arith::kRound,
                     "clears the last bit of a finite float",
                     "a multiplier array that is one bit short"},
                    [](F a, F b, bool) {
                      const F result = Real::Float(a, b, false);
                      return std::isfinite(FloatOf(result)) ? result & ~F{1}
                                                            : result;
                    }),
  };
}

template <class Call>
Table SpecialResults() {
  using Real = RealValue<Call>;
  return {
      OfHalf<Call>({"half-saturates-one-step-low", isa::state::kSaturation,
                    "saturates at 65472, one step below the largest half",
                    "a bound written from memory"},
                   [](H a, H b, bool saturation) {
                     const H value = Real::Half(a, b, saturation);
                     const bool bound = (value & 0x7fffu) == emulator::kHalfMax;
                     return static_cast<H>(value - (saturation && bound));
                   }),
      OfHalf<Call>({"half-invalid-gives-zero", isa::arith::kNan,
                    "gives 0 where numbers and infinities make a NaN",
                    "infinity treated as a large number"},
                   [](H a, H b, bool saturation) {
                     const H value = Real::Half(a, b, saturation);
                     const bool made = IsNan(value) && !IsNan(a) && !IsNan(b);
                     return made ? H{0} : value;
                   }),
      OfHalf<Call>({"half-zero-sign-lost", isa::arith::kZeroSign,
                    "gives +0 for a half -0"},
                   [](H a, H b, bool saturation) {
                     const H value = Real::Half(a, b, saturation);
                     return value == 0x8000u ? H{0} : value;
                   }),
      OfFloat<Call>({"float-zero-sign-lost", isa::arith::kZeroSign,
                     "gives +0 for a float -0"},
                    [](F a, F b, bool) {
                      const F value = Real::Float(a, b, false);
                      return value == 0x80000000u ? F{0} : value;
                    }),
  };
}

template <class Call>
Table Overflows() {
  using Real = RealValue<Call>;
  using rule = RulesOf<Call>;
  using Int16 = std::int16_t;
  using Int32 = std::int32_t;
  return {
      OfInt16<Call>({"int16-always-wraps", rule::kIntegerOverflow,
                     "keeps the low bits of int16 in saturation mode",
                     "saturation taken for a matter of floating types"},
                    [](Int16 a, Int16 b, bool) {
                      return Real::template Integer<Int16>(a, b, false);
                    }),
      OfInt16<Call>({"int16-always-saturates", rule::kIntegerOverflow,
                     "saturates int16 with the mode off, too"},
                    [](Int16 a, Int16 b, bool) {
                      return Real::template Integer<Int16>(a, b, true);
                    }),
      OfInt16<Call>({"int16-limits-symmetric", rule::kIntegerOverflow,
                     "saturates int16 at -32767",
                     "a bound that is the other one's negative"},
                    [](Int16 a, Int16 b, bool saturation) {
                      const std::int64_t exact = Exact<Call>(a, b);
                      return saturation && exact < -32768
                                 ? Int16{-32767}
                                 : Real::template Integer<Int16>(a, b,
                                                                 saturation);
                    }),
      OfInt16<Call>({"int16-saturates-as-unsigned", rule::kIntegerOverflow,
                     "saturates int16 at 65535, which is -1",
                     "packing with unsigned saturation"},
                    [](Int16 a, Int16 b, bool saturation) {
                      const std::int64_t exact = Exact<Call>(a, b);
                      if (!saturation) return static_cast<Int16>(exact);
                      return static_cast<Int16>(
                          std::clamp<std::int64_t>(exact, -32768, 65535));
                    }),
      OfInt32<Call>({"int32-always-wraps", rule::kIntegerOverflow,
                     "keeps the low bits of int32 in saturation mode",
                     "saturating instructions stop at 16 bits"},
                    [](Int32 a, Int32 b, bool) {
                      return Real::template Integer<Int32>(a, b, false);
                    }),
      OfInt32<Call>({"int32-always-saturates", rule::kIntegerOverflow,
                     "saturates int32 with the mode off, too"},
                    [](Int32 a, Int32 b, bool) {
                      return Real::template Integer<Int32>(a, b, true);
                    }),
      OfInt32<Call>({"int32-through-float", rule::kValue,
                     "computes int32 as floats, which lose the last bits",
                     "a vector unit without such an instruction"},
                    [](Int32 a, Int32 b, bool saturation) {
                      const float result = FloatOf(RealValue<Call>::Float(
                          BitsOf(static_cast<float>(a)),
                          BitsOf(static_cast<float>(b)), false));
                      const auto exact = static_cast<std::int64_t>(result);
                      using Limits = std::numeric_limits<Int32>;
                      return saturation
                                 ? static_cast<Int32>(std::clamp<std::int64_t>(
                                       exact, Limits::min(), Limits::max()))
                                 : static_cast<Int32>(exact);
                    }),
  };
}

// ---- What is particular to one call -----------------------------------------

Table OfAdd() {
  return {
      OfInt16<isa::Add>({"int16-without-carry", isa::add::kValue,
                         "adds the bytes of int16 each by itself",
                         "lanes of the wrong width"},
                        [](std::int16_t a, std::int16_t b, bool) {
                          const int low = (a & 0xff) + (b & 0xff);
                          const int high = (a & 0xff00) + (b & 0xff00);
                          return static_cast<std::int16_t>((high & 0xff00) |
                                                           (low & 0xff));
                        }),
  };
}

Table OfSub() {
  using Real = RealValue<isa::Sub>;
  const Label label = {"half-operands-swapped", isa::sub::kValue,
                       "subtracts src0 from src1",
                       "argument orders differ between libraries"};
  const auto named = [&](std::string_view name) {
    Label other = label;
    other.name = name;
    return other;
  };
  const auto integers = []<class T>(T a, T b, bool saturation) {
    return Real::Integer<T>(b, a, saturation);
  };
  return {
      OfHalf<isa::Sub>(label,
                       [](H a, H b, bool on) { return Real::Half(b, a, on); }),
      OfFloat<isa::Sub>(
          named("float-operands-swapped"),
          [](F a, F b, bool) { return Real::Float(b, a, false); }),
      OfInt16<isa::Sub>(named("int16-operands-swapped"), integers),
      OfInt32<isa::Sub>(named("int32-operands-swapped"), integers),
      OfFloat<isa::Sub>({"float-negated-difference", isa::arith::kZeroSign,
                         "computes -(src1 - src0), which is -0 for equal ones"},
                        [](F a, F b, bool) {
                          const F result = Real::Float(b, a, false);
                          return IsNan(result) ? result : result ^ 0x80000000u;
                        }),
  };
}

Table OfMul() {
  return {
      OfInt16<isa::Mul>(
          {"int16-high-half", isa::mul::kValue,
           "gives the high 16 bits of a product", "the PMULHW instruction"},
          [](std::int16_t a, std::int16_t b, bool) {
            return static_cast<std::int16_t>(a * b >> 16);
          }),
      OfInt32<isa::Mul>({"int32-limit-by-src0", isa::mul::kIntegerOverflow,
                         "saturates a product to the side of src0's sign"},
                        [](std::int32_t a, std::int32_t b, bool saturation) {
                          using Limits = std::numeric_limits<std::int32_t>;
                          const std::int64_t exact = std::int64_t{a} * b;
                          const auto low = static_cast<std::int32_t>(exact);
                          if (!saturation || low == exact) return low;
                          return a < 0 ? Limits::min() : Limits::max();
                        }),
      OfHalf<isa::Mul>({"half-sign-of-src0", isa::arith::kZeroSign,
                        "gives a product that is zero the sign of src0"},
                       [](H a, H b, bool saturation) {
                         const H value =
                             RealValue<isa::Mul>::Half(a, b, saturation);
                         return (value & 0x7fffu) == 0 && !IsNan(a) && !IsNan(b)
                                    ? static_cast<H>(a & 0x8000u)
                                    : value;
                       }),
  };
}

}  // namespace

Table ElementwiseResultKernels() {
  return Joined(OfEachElementwise([]<class Call>() {
                  if constexpr (kGivesOneOfTwo<Call>) {
                    return Table();
                  } else {
                    return Joined(Roundings<Call>(), SpecialResults<Call>(),
                                  Overflows<Call>());
                  }
                }),
                OfAdd(), OfSub(), OfMul());
}

}  // namespace lanediff::mutants

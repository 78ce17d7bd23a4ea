// Min: kernels that compare in another way.

#include <algorithm>
#include <cmath>
#include <limits>

#include "emulator/address.h"
#include "mutants/floats.h"
#include "mutants/plant.h"
#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::min;
using emulator::HalfToFloat;
using emulator::MinLanes;
using Plan = emulator::MinPlan;
using Seams = emulator::MinSeams;
using Ub = std::span<const std::uint8_t>;
using H = std::uint16_t;
using F = std::uint32_t;

/// A kernel that puts `Smaller(a, b, saturation)` into each lane.
template <class T, class Smaller>
auto EachLane(Smaller) {
  return [](const Plan& plan, std::int64_t r, Ub ub, MinLanes& result) {
    constexpr int kPerBlock = 32 / sizeof(T);
    for (int lane = 0; lane < kPerBlock * 8; ++lane) {
      if (plan.LanesOf(r).Slice(lane, 1) == 0) continue;
      const int block = lane / kPerBlock;
      const auto byte = lane % kPerBlock * static_cast<int>(sizeof(T));
      const T a = emulator::Load<T>(ub, plan.src0.BlockAt(r, block) + byte);
      const T b = emulator::Load<T>(ub, plan.src1.BlockAt(r, block) + byte);
      emulator::Store(std::span<std::uint8_t>(result), block * 32 + byte,
                      static_cast<T>(Smaller{}(a, b, plan.saturation)));
    }
  };
}

template <class Smaller>
Mutant OfHalf(const Label& label, Smaller smaller) {
  return Plant(isa::Min::kRoom, &emulator::Seams::min, &Seams::half_kernel,
               EachLane<H>(smaller), label);
}

template <class Smaller>
Mutant OfFloat(const Label& label, Smaller smaller) {
  return Plant(isa::Min::kRoom, &emulator::Seams::min, &Seams::float_kernel,
               EachLane<F>(smaller), label);
}

template <class Smaller>
Mutant OfInt16(const Label& label, Smaller smaller) {
  return Plant(isa::Min::kRoom, &emulator::Seams::min, &Seams::int16_kernel,
               EachLane<std::int16_t>(smaller), label);
}

template <class Smaller>
Mutant OfInt32(const Label& label, Smaller smaller) {
  return Plant(isa::Min::kRoom, &emulator::Seams::min, &Seams::int32_kernel,
               EachLane<std::int32_t>(smaller), label);
}

bool IsNan(H half) { return (half & 0x7fffu) > 0x7c00u; }
bool IsNan(F bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/// The documented minimum of two halves.
H RealHalf(H a, H b, bool saturation) {
  if (IsNan(a) || IsNan(b)) return saturation ? H{0} : H{0x7e00u};
  const float x = HalfToFloat(a);
  const float y = HalfToFloat(b);
  const bool second = y < x || (y == x && std::signbit(y));
  return Saturated(second ? b : a, saturation);
}

/// The documented minimum of two floats.
F RealFloat(F a, F b) {
  if (IsNan(a) || IsNan(b)) return 0x7fc00000u;
  const float x = FloatOf(a);
  const float y = FloatOf(b);
  return y < x || (y == x && std::signbit(y)) ? b : a;
}

Table Halves() {
  return {
      OfHalf({"min-half-compared-as-integers", rule::kValue,
              "compares halves as signed integers: negative ones the wrong way "
              "round"},
             [](H a, H b, bool saturation) {
               if (IsNan(a) || IsNan(b)) return RealHalf(a, b, saturation);
               return Saturated(std::bit_cast<std::int16_t>(a) <
                                        std::bit_cast<std::int16_t>(b)
                                    ? a
                                    : b,
                                saturation);
             }),
      OfHalf({"min-half-not-saturated", isa::state::kSaturation,
              "leaves infinities and NaN as they are"},
             [](H a, H b, bool) { return RealHalf(a, b, false); }),
      OfHalf({"min-half-saturates-upward-only", isa::state::kSaturation,
              "leaves -inf as it is", "a clamp with one bound"},
             [](H a, H b, bool saturation) {
               const H smaller = RealHalf(a, b, false);
               return smaller == 0xfc00u ? smaller
                                         : Saturated(smaller, saturation);
             }),
      OfHalf({"min-half-nan-becomes-bound", isa::state::kSaturation,
              "makes NaN 65504 in saturation mode"},
             [](H a, H b, bool saturation) {
               const H smaller = RealHalf(a, b, false);
               return saturation && IsNan(smaller)
                          ? emulator::kHalfMax
                          : Saturated(smaller, saturation);
             }),
      OfHalf({"min-half-subnormals-flushed", isa::arith::kSubnormal,
              "makes subnormal halves zero",
              "halves widened by hardware with DAZ set"},
             [](H a, H b, bool saturation) {
               return RealHalf(FlushedHalf(a), FlushedHalf(b), saturation);
             }),
      OfHalf({"min-half-nan-dropped", isa::arith::kNan,
              "gives the number where the other operand is NaN",
              "fminf() and minimumNumber"},
             [](H a, H b, bool saturation) {
               if (IsNan(a)) return Saturated(b, saturation);
               return IsNan(b) ? Saturated(a, saturation)
                               : RealHalf(a, b, saturation);
             }),
      OfHalf({"min-half-zero-sign-by-order", isa::arith::kZeroSign,
              "gives the first operand of +0 and -0", "a < b ? a : b"},
             [](H a, H b, bool saturation) {
               return ((a | b) & 0x7fffu) == 0 ? a : RealHalf(a, b, saturation);
             }),
  };
}

Table Floats() {
  return {
      OfFloat({"min-float-nan-dropped", isa::arith::kNan,
               "gives the number where the other operand is NaN",
               "fminf() and minimumNumber"},
              [](F a, F b, bool) {
                if (IsNan(a)) return b;
                return IsNan(b) ? a : RealFloat(a, b);
              }),
      OfFloat({"min-float-nan-second-operand", isa::arith::kNan,
               "gives the second operand where either is NaN",
               "the MINPS instruction"},
              [](F a, F b, bool) {
                return IsNan(a) || IsNan(b) ? b : RealFloat(a, b);
              }),
      OfFloat(
          {"min-float-zero-sign-by-order", isa::arith::kZeroSign,
           "gives the second operand of +0 and -0", "the MINPS instruction"},
          [](F a, F b, bool) {
            return ((a | b) & 0x7fffffffu) == 0 ? b : RealFloat(a, b);
          }),
      OfFloat({"min-float-subnormals-flushed", isa::arith::kSubnormal,
               "makes subnormal floats zero", "FTZ and DAZ mode"},
              [](F a, F b, bool) {
                return RealFloat(FlushedFloat(a), FlushedFloat(b));
              }),
      OfFloat({"min-float-saturated", isa::state::kSaturation,
               "makes an infinite float the largest finite one",
               "saturation mode applied to every type"},
              [](F a, F b, bool saturation) {
                const F smaller = RealFloat(a, b);
                const bool infinite = (smaller & 0x7fffffffu) == 0x7f800000u;
                return saturation && infinite ? smaller - 1 : smaller;
              }),
      OfFloat({"min-float-through-half", isa::arith::kRound,
               "compares floats rounded to half",
               "a comparison on the 16-bit path"},
              [](F a, F b, bool) {
                const float x = HalfToFloat(emulator::FloatToHalf(FloatOf(a)));
                const float y = HalfToFloat(emulator::FloatToHalf(FloatOf(b)));
                if (IsNan(a) || IsNan(b) || x == 0 || y == 0) {
                  return RealFloat(a, b);
                }
                return y < x ? b : a;
              }),
  };
}

Table Integers() {
  return {
      OfInt16(
          {"min-int16-unsigned", rule::kValue, "compares int16 without sign"},
          [](std::int16_t a, std::int16_t b, bool) {
            return std::bit_cast<H>(a) < std::bit_cast<H>(b) ? a : b;
          }),
      OfInt16({"min-int16-by-difference", rule::kValue,
               "compares int16 by the sign of a difference of 16 bits",
               "a - b < 0, which wraps"},
              [](std::int16_t a, std::int16_t b, bool) {
                return static_cast<std::int16_t>(a - b) < 0 ? a : b;
              }),
      OfInt32({"min-int32-through-float", rule::kValue,
               "compares int32 as floats, which lose the last bits",
               "a vector unit without an integer comparison"},
              [](std::int32_t a, std::int32_t b, bool) {
                return static_cast<float>(b) < static_cast<float>(a) ? b : a;
              }),
      OfInt32({"min-int32-by-difference", rule::kValue,
               "compares int32 by the sign of a difference of 32 bits",
               "a - b < 0, which wraps"},
              [](std::int32_t a, std::int32_t b, bool) {
                const F difference = static_cast<F>(a) - static_cast<F>(b);
                return (difference >> 31) != 0 ? a : b;
              }),
      OfInt32(
          {"min-int32-max-for-min", rule::kValue,
           "gives the larger of two int32"},
          [](std::int32_t a, std::int32_t b, bool) { return std::max(a, b); }),
  };
}

}  // namespace

Table MinKernels() { return Joined(Halves(), Floats(), Integers()); }

}  // namespace lanediff::mutants

// Lane-wise calls: kernels of those with results of their own that round or
// overflow in another way.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "emulator/arithmetic.h"
#include "emulator/conversion.h"
#include "emulator/mask.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/lanewise.h"

namespace lanediff::mutants::lanewise {
namespace {

using emulator::FloatToHalf;
using emulator::HalfToFloat;
using Limits = std::numeric_limits<Int32>;

/// The result of two halves before it is rounded to half.
float Unrounded(const Lane<H>& v) {
  const auto wide = v.As<F>([](H half) { return BitsOf(HalfToFloat(half)); });
  return FloatOf(wide.Real());
}

/// The result of two int16, which int32 holds.
Int32 Exact(const Lane<Int16>& v) {
  return v.As<Int32>([](Int16 element) { return element; }).Real(false);
}

Table Roundings(const LaneRow& row) {
  return {
      row("half-truncates", isa::arith::kRound, "rounds halves toward zero",
          "f16 conversion by truncation in a SIMD back end")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(TruncatedToHalf(Unrounded(v)), v.plan.saturation);
          }),
      row("half-rounds-half-up", isa::arith::kRound,
          "rounds ties of halves away from zero",
          "f16 conversion that adds half a unit and cuts")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(HalfUp(Unrounded(v)), v.plan.saturation);
          }),
      row("half-subnormal-results-flushed", isa::arith::kSubnormal,
          "makes a subnormal result of halves zero")
          .Of<H>([](const Lane<H>& v) { return FlushedHalf(v.Real()); }),
      row("float-subnormal-results-flushed", isa::arith::kSubnormal,
          "makes a subnormal result of floats zero", "FTZ mode")
          .Of<F>([](const Lane<F>& v) { return FlushedFloat(v.Real()); }),
      row("float-through-half", isa::arith::kRound,
          "rounds finite results of floats to half where one is near",
          "a result on the 16-bit path")
          .Of<F>([](const Lane<F>& v) {
            const F result = v.Real();
            const float half = HalfToFloat(FloatToHalf(FloatOf(result)));
            return std::isfinite(half) && half != 0 ? BitsOf(half) : result;
          }),
      row("float-last-bit-lost", isa::arith::kRound,
          "clears the last bit of a finite float",
          "a multiplier array that is one bit short")
          .Of<F>([](const Lane<F>& v) {
            const F result = v.Real();
            return std::isfinite(FloatOf(result)) ? result & ~F{1} : result;
          }),
  };
}

Table SpecialResults(const LaneRow& row) {
  return {
      row("half-saturates-one-step-low", isa::state::kSaturation,
          "saturates at 65472, one step below the largest half",
          "a bound written from memory")
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            const bool bound = (value & 0x7fffu) == emulator::kHalfMax;
            return static_cast<H>(value - (v.plan.saturation && bound));
          }),
      row("half-invalid-gives-zero", isa::arith::kNan,
          "gives 0 where numbers and infinities make a NaN",
          "infinity treated as a large number")
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            const bool made = IsNan(value) && !IsNan(v[0]) && !IsNan(v[1]);
            return made ? H{0} : value;
          }),
      row("half-zero-sign-lost", isa::arith::kZeroSign,
          "gives +0 for a half -0")
          .Where(!row.GivesPositive())
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            return value == 0x8000u ? H{0} : value;
          }),
      row("float-zero-sign-lost", isa::arith::kZeroSign,
          "gives +0 for a float -0")
          .Where(!row.GivesPositive())
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            return value == 0x80000000u ? F{0} : value;
          }),
  };
}

Table Wrapping(const LaneRow& row) {
  return {
      row("int16-always-wraps", kIntegerOverflow,
          "keeps the low bits of int16 in saturation mode",
          "saturation taken for a matter of floating types")
          .Of<Int16>([](const Lane<Int16>& v) { return v.Real(false); }),
      row("int16-always-saturates", kIntegerOverflow,
          "saturates int16 with the mode off, too")
          .Where(!row.GivesMagnitude())
          .Of<Int16>([](const Lane<Int16>& v) { return v.Real(true); }),
  };
}

Table Overflows(const LaneRow& row) {
  return {
      row("int16-limits-symmetric", kIntegerOverflow,
          "saturates int16 at -32767",
          "a bound that is the other one's negative")
          .Of<Int16>([](const Lane<Int16>& v) {
            return v.plan.saturation && Exact(v) < -32768 ? Int16{-32767}
                                                          : v.Real();
          }),
      row("int16-saturates-as-unsigned", kIntegerOverflow,
          "saturates int16 at 65535, which is -1",
          "packing with unsigned saturation")
          .Of<Int16>([](const Lane<Int16>& v) {
            return v.plan.saturation ? std::clamp(Exact(v), -32768, 65535)
                                     : Exact(v);
          }),
      row("int32-always-wraps", kIntegerOverflow,
          "keeps the low bits of int32 in saturation mode",
          "saturating instructions stop at 16 bits")
          .Of<Int32>([](const Lane<Int32>& v) { return v.Real(false); }),
      row("int32-always-saturates", kIntegerOverflow,
          "saturates int32 with the mode off, too")
          .Of<Int32>([](const Lane<Int32>& v) { return v.Real(true); }),
      row("int32-through-float", kValue,
          "computes int32 as floats, which lose the last bits",
          "a vector unit without such an instruction")
          .Of<Int32>([](const Lane<Int32>& v) {
            const auto floats = v.As<F>([](Int32 element) {
              return BitsOf(static_cast<float>(element));
            });
            const auto exact =
                static_cast<std::int64_t>(FloatOf(floats.Real()));
            return v.plan.saturation ? std::clamp<std::int64_t>(
                                           exact, Limits::min(), Limits::max())
                                     : exact;
          }),
  };
}

// ---- What is particular to one operation ------------------------------------

Table OfSum(const LaneRow& row) {
  return {
      row("int16-without-carry", kValue,
          "adds the bytes of int16 each by itself", "lanes of the wrong width")
          .Of<Int16>([](const Lane<Int16>& v) {
            const int low = (v[0] & 0xff) + (v[1] & 0xff);
            const int high = (v[0] & 0xff00) + (v[1] & 0xff00);
            return (high & 0xff00) | (low & 0xff);
          }),
  };
}

/// The real difference, the other way round.
constexpr auto kReversed = []<class T>(const Lane<T>& v) {
  return Lane<T>{v.plan, {v[1], v[0]}}.Real();
};

Table OfDifference(const LaneRow& row) {
  const auto swapped = [&](std::string_view name) {
    return row(name, kValue, "subtracts src0 from src1",
               "argument orders differ between libraries");
  };
  return {
      swapped("half-operands-swapped").Of<H>(kReversed),
      swapped("float-operands-swapped").Of<F>(kReversed),
      swapped("int16-operands-swapped").Of<Int16>(kReversed),
      swapped("int32-operands-swapped").Of<Int32>(kReversed),
      row("float-negated-difference", isa::arith::kZeroSign,
          "computes -(src1 - src0), which is -0 for equal ones")
          .Of<F>([](const Lane<F>& v) {
            const F result = kReversed(v);
            return IsNan(result) ? result : result ^ 0x80000000u;
          }),
  };
}

Table OfProduct(const LaneRow& row) {
  return {
      row("int16-high-half", kValue, "gives the high 16 bits of a product",
          "the PMULHW instruction")
          .Of<Int16>([](const Lane<Int16>& v) { return v[0] * v[1] >> 16; }),
      row("int32-limit-by-src0", kIntegerOverflow,
          "saturates a product to the side of src0's sign")
          .Of<Int32>([](const Lane<Int32>& v) {
            const std::int64_t exact = std::int64_t{v[0]} * v[1];
            const auto low = static_cast<Int32>(exact);
            if (!v.plan.saturation || low == exact) return low;
            return v[0] < 0 ? Limits::min() : Limits::max();
          }),
      row("half-sign-of-src0", isa::arith::kZeroSign,
          "gives a product that is zero the sign of src0")
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            return (value & 0x7fffu) == 0 && !IsNan(v[0]) && !IsNan(v[1])
                       ? static_cast<H>(v[0] & 0x8000u)
                       : value;
          }),
  };
}

Table OfBits(const LaneRow& row) {
  return {
      row("int16-high-byte-of-src0", kValue, "leaves the high byte of src0",
          "lanes of bytes")
          .Where(row.has_source())
          .Of<Int16>([](const Lane<Int16>& v) {
            return (v[0] & 0xff00) | (v.Real() & 0xff);
          }),
      row("int16-exclusive", kValue, "clears the bits that both sources have",
          "^ for |")
          .Where(row.value == "BitsOfTwo<Disjunction>")
          .Of<Int16>([](const Lane<Int16>& v) { return v[0] ^ v[1]; }),
      row("int16-negated", kValue, "gives -src", "- for ~")
          .Where(row.value == "Complement")
          .Of<Int16>([](const Lane<Int16>& v) { return -v[0]; }),
  };
}

Table OfShift(const LaneRow& row) {
  const bool left = row.value == "LeftShifted";
  return {
      row("int16-unsigned", kValue, "shifts int16 without a sign",
          "the logical shift of C++ for unsigned types")
          .Of<Int16>([](const Lane<Int16>& v) {
            const bool is_left = v.plan.signature->op == "ShiftLeft";
            const auto word = static_cast<std::uint32_t>(static_cast<H>(v[0]));
            const auto by =
                static_cast<unsigned>(std::min<H>(static_cast<H>(v[1]), 16));
            return is_left ? word << by : word >> by;
          }),
      row("int32-one-bit-more", kValue, "shifts int32 by one bit more")
          .Of<Int32>([](const Lane<Int32>& v) {
            return Lane<Int32>{v.plan, {v.Real(), 1}}.Real();
          }),
      row("int16-all-bits-as-none", kValue,
          "leaves an int16 that is shifted by 16 bits",
          "x86 masks the number of bits")
          .Of<Int16>([](const Lane<Int16>& v) {
            return v[1] == 16 ? v[0] : v.Real();
          }),
      row("int32-all-bits-as-none", kValue,
          "leaves an int32 that is shifted by 32 bits",
          "x86 masks the number of bits")
          .Of<Int32>([](const Lane<Int32>& v) {
            return v[1] == 32 ? v[0] : v.Real();
          }),
      row("int32-sign-last-bit-kept", kValue,
          "keeps the lowest bit of int32, not the sign")
          .Where(left)
          .Of<Int32>([](const Lane<Int32>& v) {
            return static_cast<std::int64_t>(
                static_cast<std::uint64_t>(static_cast<F>(v[0]))
                << std::min<F>(static_cast<F>(v[1]), 32));
          }),
      row("int16-saturated", kValue, "saturates an int16 that leaves the type",
          "a multiplication in place of a shift")
          .Where(left)
          .Of<Int16>([](const Lane<Int16>& v) {
            const std::int64_t exact = std::int64_t{v[0]} * (1 << (v[1] & 31));
            return v.plan.saturation
                       ? std::clamp<std::int64_t>(exact, -32768, 32767)
                       : std::int64_t{v.Real()};
          }),
      row("int16-round-ignored", kValue, "never rounds int16")
          .Where(!left)
          .Of<Int16>([](const Lane<Int16>& v) {
            Plan plan = v.plan;
            plan.round = false;
            return Lane<Int16>{plan, v.elements}.Real();
          }),
      row("int32-always-rounds", kValue, "rounds int32 without roundEn, too")
          .Where(!left)
          .Of<Int32>([](const Lane<Int32>& v) {
            Plan plan = v.plan;
            plan.round = true;
            return Lane<Int32>{plan, v.elements}.Real();
          }),
      row("int32-ties-to-even", kValue, "rounds ties of int32 to even",
          "rounding of floating types")
          .Where(!left)
          .Of<Int32>([](const Lane<Int32>& v) {
            const Int32 value = v.Real();
            const std::int64_t back = std::int64_t{value} << (v[1] & 63);
            const bool tie = v.plan.round && v[1] > 0 &&
                             back - v[0] == std::int64_t{1}
                                                << ((v[1] - 1) & 63);
            return tie && value % 2 != 0 ? value - 1 : value;
          }),
      row("int16-rounds-away-from-zero", kValue,
          "rounds ties of negative int16 down", "std::round")
          .Where(!left)
          .Of<Int16>([](const Lane<Int16>& v) {
            const Int16 value = v.Real();
            const std::int64_t back = std::int64_t{value} << (v[1] & 63);
            const bool tie = v.plan.round && v[1] > 0 && v[0] < 0 &&
                             back - v[0] == std::int64_t{1}
                                                << ((v[1] - 1) & 63);
            return value - (tie ? 1 : 0);
          }),
  };
}

/// The lane with 0 in the place of dst.
constexpr auto kWithoutDst = []<class T>(const Lane<T>& v) {
  Lane<T> other = v;
  other.elements[DstPlace(*v.plan.signature)] = 0;
  return other.Real();
};
/// The lane with dst and what stands before it exchanged.
constexpr auto kDstExchanged = []<class T>(const Lane<T>& v) {
  Lane<T> other = v;
  const std::size_t place = DstPlace(*v.plan.signature);
  std::swap(other.elements[place], other.elements[place - 1]);
  return other.Real();
};

/// The factor that is not the first one, and what is added.
template <class T>
std::pair<T, T> FactorAndTerm(const Lane<T>& v) {
  const std::string_view op = v.plan.signature->op;
  return op == "MulAddDst" || op == "Axpy" ? std::pair(v[1], v[2])
                                           : std::pair(v[2], v[1]);
}

Table OfTwoResults(const LaneRow& row) {
  return {
      row("half-rounded-once", kValue,
          "rounds the sum of halves alone, not the product",
          "a fused multiply-add")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(FloatToHalf(Unrounded(v)), v.plan.saturation);
          }),
      row("float-rounded-once", kValue,
          "rounds the sum of floats alone, not the product",
          "a fused multiply-add")
          .Of<F>([](const Lane<F>& v) {
            const auto [factor, term] = FactorAndTerm(v);
            const float sum =
                std::fma(FloatOf(v[0]), FloatOf(factor), FloatOf(term));
            const bool below = v.plan.signature->op == "MulAddRelu" &&
                               std::signbit(sum) && !std::isnan(sum);
            return below ? F{0} : Canonical(sum);
          }),
      row("half-product-unsaturated", isa::state::kSaturation,
          "saturates the sum of halves alone, not the product")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(v.Real(false), v.plan.saturation);
          }),
      row("half-dst-ignored", kValue, "takes a half of dst for 0",
          "a product without the sum")
          .Of<H>(kWithoutDst),
      row("float-dst-ignored", kValue, "takes a float of dst for 0",
          "a product without the sum")
          .Of<F>(kWithoutDst),
      row("half-dst-exchanged", kValue,
          "exchanges halves of dst and of the operand before it",
          "the other one of MulAddDst and FusedMulAdd")
          .Of<H>(kDstExchanged),
      row("float-dst-exchanged", kValue,
          "exchanges floats of dst and of the operand before it",
          "the other one of MulAddDst and FusedMulAdd")
          .Of<F>(kDstExchanged),
      row("int16-always-wraps", kIntegerOverflow,
          "keeps the low bits of int16 in saturation mode")
          .Of<Int16>([](const Lane<Int16>& v) { return v.Real(false); }),
      row("int32-product-wraps", kIntegerOverflow,
          "saturates the sum of int32 alone, not the product")
          .Of<Int32>([](const Lane<Int32>& v) {
            const auto product = static_cast<Int32>(std::int64_t{v[0]} * v[1]);
            return Lane<Int32>{v.plan, {product, 1, v[2]}}.Real();
          }),
      row("int16-saturated-once", kIntegerOverflow,
          "saturates the sum of int16 alone, not the product",
          "a product in an accumulator of 32 bits")
          .Of<Int16>([](const Lane<Int16>& v) {
            return std::clamp<std::int64_t>(std::int64_t{v[0]} * v[1] + v[2],
                                            -32768, 32767);
          }),
      row("half-negative-kept", kValue, "leaves a negative half result",
          "a fused operation without its second half")
          .Where(row.GivesPositive())
          .Of<H>([](const Lane<H>& v) {
            const auto [factor, term] = FactorAndTerm(v);
            using emulator::HalfOf;
            return HalfOf<std::plus<>>(
                HalfOf<std::multiplies<>>(v[0], factor, v.plan.saturation),
                term, v.plan.saturation);
          }),
  };
}

Table OfCopy(const LaneRow& row) {
  return {
      row("half-saturated", kValue, "saturates a half",
          "a copy on the path of arithmetic")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(v[0], v.plan.saturation);
          }),
      row("half-nan-without-payload", kValue,
          "gives one NaN for every half NaN",
          "a copy on the path of arithmetic")
          .Of<H>(
              [](const Lane<H>& v) { return IsNan(v[0]) ? H{0x7e00} : v[0]; }),
      row("float-subnormals-flushed", kValue, "makes subnormal floats zero",
          "FTZ and DAZ mode")
          .Of<F>([](const Lane<F>& v) { return FlushedFloat(v[0]); }),
      row("int16-low-byte", kValue, "gives the low byte of int16 twice",
          "a fill by bytes")
          .Of<Int16>(
              [](const Lane<Int16>& v) { return (v[0] & 0xff) * 0x101; }),
      row("int32-through-float", kValue,
          "copies int32 as floats, which lose the last bits",
          "a vector unit without such an instruction")
          .Of<Int32>([](const Lane<Int32>& v) {
            return static_cast<std::int64_t>(static_cast<float>(v[0]));
          }),
  };
}

/// The real element with the number of another lane.
template <class T>
T WithNumber(const Lane<T>& v, std::int64_t number) {
  Lane<T> other = v;
  other.number = number;
  return other.Real();
}

Table OfCounted(const LaneRow& row) {
  return {
      row("half-number-rounded", kValue,
          "rounds the number of a lane to half before it is added",
          "Adds of a vector of indices")
          .Of<H>([](const Lane<H>& v) {
            const H number = FloatToHalf(static_cast<float>(v.number));
            return emulator::HalfOf<std::plus<>>(v[0], number,
                                                 v.plan.saturation);
          }),
      row("half-through-float", isa::arith::kRound,
          "rounds the sum to float before it is rounded to half",
          "a sum of floats that is stored as half")
          .Of<H>([](const Lane<H>& v) {
            const float sum = HalfToFloat(v[0]) + static_cast<float>(v.number);
            return Saturated(FloatToHalf(sum), v.plan.saturation);
          }),
      row("half-iteration-by-iteration", kValue,
          "adds 128 to the element of the iteration before",
          "the vendor's code for atlas-a2")
          .Of<H>([](const Lane<H>& v) {
            H value = WithNumber(v, v.number % 128);
            for (std::int64_t r = 0; r < v.number / 128; ++r) {
              value = emulator::HalfOf<std::plus<>>(value, 0x5800u,
                                                    v.plan.saturation);
            }
            return value;
          }),
      row("float-last-bit-lost", isa::arith::kRound,
          "clears the last bit of a finite float")
          .Of<F>([](const Lane<F>& v) {
            const F result = v.Real();
            return std::isfinite(FloatOf(result)) ? result & ~F{1} : result;
          }),
      row("float-starts-again", kValue,
          "counts from the scalar on in each iteration of floats",
          "one iteration, repeated")
          .Of<F>([](const Lane<F>& v) { return WithNumber(v, v.number % 64); }),
      row("int16-starts-again", kValue,
          "counts from the scalar on in each iteration of int16",
          "one iteration, repeated")
          .Of<Int16>([](const Lane<Int16>& v) {
            return WithNumber(v, v.number % 128);
          }),
      row("int16-number-of-8-bits", kValue,
          "keeps eight bits of the numbers of lanes")
          .Of<Int16>([](const Lane<Int16>& v) {
            return WithNumber(v, v.number % 256);
          }),
      row("int32-one-behind", kValue, "counts int32 from 1 on",
          "an element that is counted before it is written")
          .Of<Int32>(
              [](const Lane<Int32>& v) { return WithNumber(v, v.number + 1); }),
      row("int32-block-by-block", kValue,
          "counts from the scalar on in each DataBlock of int32")
          .Of<Int32>(
              [](const Lane<Int32>& v) { return WithNumber(v, v.number % 8); }),
      row("int32-always-wraps", kIntegerOverflow,
          "keeps the low bits of int32 in saturation mode")
          .Of<Int32>([](const Lane<Int32>& v) { return v.Real(false); }),
      row("int32-always-saturates", kIntegerOverflow,
          "saturates int32 with the mode off, too")
          .Of<Int32>([](const Lane<Int32>& v) { return v.Real(true); }),
      row("int32-lanes-taking-part", kValue,
          "numbers the lanes that take part, one after the other",
          "a compressed store")
          .Of<Int32>([](const Lane<Int32>& v) {
            const std::int64_t r = v.number / 64;
            const auto before = [&](std::int64_t lanes) {
              return v.plan.lanes.Slice(0, static_cast<int>(lanes));
            };
            return WithNumber(v, r * std::popcount(before(64)) +
                                     std::popcount(before(v.number % 64)));
          }),
  };
}

Table OfLeaky(const LaneRow& row) {
  return {
      row("half-zero-not-multiplied", isa::arith::kZeroSign,
          "leaves a half -0, which has a sign", "x >= 0 ? x : a * x")
          .Of<H>([](const Lane<H>& v) {
            return v[0] == 0x8000u ? v[0] : v.Real();
          }),
      row("float-larger-of-both", kValue,
          "gives the larger of a float and its product",
          "max(x, a * x), which holds for slopes from 0 to 1")
          .Of<F>([](const Lane<F>& v) {
            const float x = FloatOf(v[0]);
            const float product = x * FloatOf(v[1]);
            if (std::isnan(x) || std::isnan(product)) return v.Real();
            return BitsOf(std::max(x, product));
          }),
      row("float-other-sign-multiplied", kValue,
          "multiplies the floats that have no sign")
          .Of<F>([](const Lane<F>& v) {
            const float x = FloatOf(v[0]);
            return Canonical(std::signbit(x) ? x : x * FloatOf(v[1]));
          }),
  };
}

Table OfRectified(const LaneRow& row) {
  return {
      row("half-negative-kept", kValue, "leaves a negative half result",
          "a fused operation without its second half")
          .Of<H>([](const Lane<H>& v) {
            // The result of the negative operands, if this one is negative.
            const auto sign = [](H half) {
              return static_cast<H>(half ^ 0x8000u);
            };
            const H other = v.As<H>(sign).Real();
            return v.Real() == 0 && other != 0 ? sign(other) : v.Real();
          }),
      row("int16-relu-before-overflow", kIntegerOverflow,
          "wraps int16 after Relu, so that too large a result is negative",
          "an operation of 32 bits whose results are cut")
          .Of<Int16>([](const Lane<Int16>& v) {
            const auto exact = v.As<F>([](Int16 element) {
              return BitsOf(static_cast<float>(element));
            });
            return v.plan.saturation
                       ? Int32{v.Real()}
                       : static_cast<Int32>(FloatOf(exact.Real()));
          }),
  };
}

Table OfPositive(const LaneRow& row) {
  return {
      row("half-zero-sign-kept", isa::arith::kZeroSign, "leaves a half -0",
          "x < 0 ? 0 : x")
          .Of<H>([](const Lane<H>& v) {
            return v[0] == 0x8000u && v.Real() == 0 ? v[0] : v.Real();
          }),
      row("float-nan-gives-zero", isa::arith::kNan, "gives 0 for a float NaN",
          "x > 0 ? x : 0")
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            return IsNan(value) ? F{0} : value;
          }),
      row("int32-unsigned", kValue, "leaves a negative int32",
          "a comparison without sign")
          .Of<Int32>([](const Lane<Int32>& v) { return v[0]; }),
  };
}

/// The bits that a conversion gave, changed lane by lane before they are
/// written: `change(plan, bits of src, bits)`.
template <class Change>
Mutant Changed(const LaneLabel& label, Change) {
  return label.Written([](const Plan& p, std::int64_t r, const Result& result,
                          Ub ub) {
    Result other = result;
    const std::int64_t to = p.dst().element_bytes;
    const std::int64_t from = p.src(0).element_bytes;
    for (int lane = 0; lane < 128; ++lane) {
      if (p.LanesOf(r).Slice(lane, 1) == 0) continue;
      std::uint64_t before = 0;
      std::uint64_t after = 0;
      const std::int64_t byte = lane * from;
      const std::int64_t at =
          p.src(0).BlockAt(r, static_cast<int>(byte / 32)) + byte % 32;
      for (std::int64_t i = 0; i < from; ++i) {
        before |= std::uint64_t{emulator::Load<std::uint8_t>(ub, at + i)}
                  << 8 * i;
      }
      for (std::int64_t i = 0; i < to; ++i) {
        after |= std::uint64_t{other[static_cast<std::size_t>(lane * to + i)]}
                 << 8 * i;
      }
      after = Change{}(p, before, after);
      for (std::int64_t i = 0; i < to; ++i) {
        other[static_cast<std::size_t>(lane * to + i)] =
            static_cast<std::uint8_t>(after >> 8 * i);
      }
    }
    PlainSeams(*p.signature).write_back(p, r, other, ub);
  });
}

bool IsNanOf(DType type, std::uint64_t bits) {
  if (type == DType::kHalf) return (bits & 0x7fff) > 0x7c00;
  return type == DType::kFloat && (bits & 0x7fffffff) > 0x7f800000;
}

/// `wanted` rounds by another mode.
template <isa::RoundMode kWanted, isa::RoundMode kOther>
Mutant Rounding(const LaneLabel& label) {
  return label.Planned([](Plan& p) {
    if (p.round_mode == kWanted) p.round_mode = kOther;
  });
}

Table OfConverted(const LaneRow& row) {
  using enum isa::RoundMode;
  return {
      Rounding<kRint, kRound>(
          row("rint-ties-away", kValue, "CAST_RINT rounds ties away")),
      Rounding<kRint, kTrunc>(row("rint-truncates", kValue,
                                  "CAST_RINT cuts what is left",
                                  "a conversion of C")),
      Rounding<kNone, kTrunc>(row("none-truncates", kValue,
                                  "CAST_NONE cuts what is left",
                                  "a conversion of C")),
      Rounding<kNone, kRound>(
          row("none-ties-away", kValue, "CAST_NONE rounds ties away")),
      Rounding<kRound, kRint>(row("round-ties-to-even", kValue,
                                  "CAST_ROUND rounds ties to even",
                                  "rint() for round()")),
      Rounding<kFloor, kTrunc>(
          row("floor-truncates", kValue, "CAST_FLOOR rounds towards zero")),
      Rounding<kFloor, kCeil>(
          row("floor-is-ceil", kValue, "CAST_FLOOR rounds up")),
      Rounding<kCeil, kRint>(
          row("ceil-is-rint", kValue, "CAST_CEIL rounds to nearest")),
      Rounding<kTrunc, kFloor>(
          row("trunc-is-floor", kValue, "CAST_TRUNC rounds down")),
      Rounding<kOdd, kTrunc>(
          row("odd-truncates", kValue, "CAST_ODD leaves an even last bit")),
      Rounding<kOdd, kRint>(
          row("odd-is-rint", kValue, "CAST_ODD rounds to nearest")),
      row("bfloat16-never-saturates", kValue,
          "saturation mode has no effect on bfloat16")
          .Planned([](Plan& p) {
            if (p.dst_dtype == DType::kBfloat16) p.saturation = false;
          }),
      row("half-never-saturates", kValue,
          "saturation mode has no effect on half")
          .Planned([](Plan& p) {
            if (p.dst_dtype == DType::kHalf) p.saturation = false;
          }),
      row("narrow-result-by-lanes-of-src", kAddress,
          "takes the blocks of dst for those of src",
          "one stride for both types")
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount()) return;
            p.dst().repeat_stride = p.src(0).repeat_stride;
          }),
      Changed(row("nan-gives-the-least-integer", kValue,
                  "gives the least int32 for a NaN", "cvtps2dq"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                return p.dst_dtype == DType::kInt32 && IsNanOf(p.dtype, before)
                           ? std::uint64_t{0x80000000}
                           : after;
              }),
      Changed(row("large-gives-the-least-integer", kValue,
                  "gives the least int32 beyond the largest", "cvtps2dq"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                return p.dst_dtype == DType::kInt32 &&
                               p.dtype == DType::kFloat &&
                               after == 0x7fffffff && before >> 31 == 0
                           ? std::uint64_t{0x80000000}
                           : after;
              }),
      Changed(row("uint8-of-negative-wraps", kValue,
                  "keeps low bits of negative numbers as uint8"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                const bool negative =
                    p.dst_dtype == DType::kUint8 && before >> 15 != 0;
                const float value = HalfToFloat(static_cast<H>(before));
                return negative && value >= -128
                           ? static_cast<std::uint64_t>(
                                 static_cast<std::int64_t>(value)) &
                                 0xff
                           : after;
              }),
      Changed(row("int32-to-int16-wraps", kValue,
                  "keeps the low 16 bits of int32", "a conversion of C"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                return p.dtype == DType::kInt32 && p.dst_dtype == DType::kInt16
                           ? before & 0xffff
                           : after;
              }),
      Changed(row("int64-to-int32-wraps", kValue,
                  "keeps the low 32 bits of int64", "a conversion of C"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                return p.dtype == DType::kInt64 ? before & 0xffffffff : after;
              }),
      Changed(
          row("minus-zero-stays", kValue,
              "gives -0 for what rounds to it from float to float", "IEEE 754"),
          [](const Plan& p, std::uint64_t before, std::uint64_t after) {
            return p.dtype == DType::kFloat && p.dst_dtype == DType::kFloat &&
                           after == 0
                       ? before & 0x80000000
                       : after;
          }),
      Changed(row("beyond-half-is-infinite", kValue,
                  "gives infinity beyond the largest half in every mode"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                const bool beyond = (before & 0x7fffffff) > 0x477fe000;
                const bool bound = (after & 0x7fff) == 0x7bff;
                return !p.saturation && p.dtype == DType::kFloat &&
                               p.dst_dtype == DType::kHalf && beyond && bound
                           ? after + 1
                           : after;
              }),
      Changed(row("half-subnormals-flushed", kValue,
                  "widens subnormal halves to zero", "DAZ mode"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                return p.dtype == DType::kHalf &&
                               p.dst_dtype == DType::kFloat &&
                               (before & 0x7c00) == 0
                           ? after & 0x80000000
                           : after;
              }),
      Changed(row("uint8-with-a-sign", kValue, "reads uint8 as int8"),
              [](const Plan& p, std::uint64_t before, std::uint64_t after) {
                if (p.dtype != DType::kUint8 || before < 128) return after;
                const auto value = static_cast<float>(256 - before);
                return std::uint64_t{FloatToHalf(-value)};
              }),
      Changed(
          row("int64-to-float-by-int32", kValue, "reads the low word of int64"),
          [](const Plan& p, std::uint64_t before, std::uint64_t after) {
            if (p.dtype != DType::kInt64 || p.dst_dtype != DType::kFloat) {
              return after;
            }
            return std::uint64_t{
                BitsOf(static_cast<float>(static_cast<Int32>(before)))};
          }),
  };
}

/// Two elements of a type whose result is converted.
template <class T>
struct TwoLanes {
  const Plan& plan;
  T a;
  T b;

  static double ValueOf(T bits) {
    if constexpr (std::is_same_v<T, H>) return HalfToFloat(bits);
    if constexpr (std::is_same_v<T, F>) return FloatOf(bits);
    return bits;
  }
  bool Rectifies() const { return plan.signature->op != "MulCast"; }
  bool Subtracts() const { return plan.signature->op == "SubReluCast"; }
  /// What is rounded and then rectified; of floats perhaps rounded to double.
  double Exact() const {
    const double x = ValueOf(a);
    const double y = ValueOf(b);
    return !Rectifies() ? x * y : Subtracts() ? x - y : x + y;
  }
  /// That, rounded to the type of the sources.
  T Rounded() const {
    const auto result = static_cast<float>(Exact());
    if constexpr (std::is_same_v<T, H>) return FloatToHalf(result);
    if constexpr (std::is_same_v<T, F>) return BitsOf(result);
    return static_cast<T>(std::clamp<double>(Exact(), -32768, 32767));
  }
  std::uint64_t Converted(T bits) const {
    return emulator::ConversionOf(plan.dtype, plan.dst_dtype)(
        static_cast<std::make_unsigned_t<T>>(bits), plan.round_mode,
        plan.saturation);
  }
  std::uint64_t Real() const {
    const T bits = Rounded();
    const double value = ValueOf(bits);
    if (std::isnan(value)) return 0;
    return Converted(Rectifies() && std::signbit(value) ? T{} : bits);
  }
};

/// `Value(lane)` are the bits of dst where the sources are of type T.
template <class T, class Value>
Mutant OfTwo(const LaneLabel& label, Value) {
  if (label.name.empty()) return {};
  emulator::LanewiseSeams seams = PlainSeams(*label.signature);
  auto& kernel = seams.KernelOf(kTypeOf<T>);
  if (kernel == nullptr) return {};
  kernel = [](const Plan& p, std::int64_t r, std::span<const std::uint8_t> ub,
              Result& result) {
    const std::int64_t to = p.dst().element_bytes;
    for (int lane = 0; lane < 128; ++lane) {
      if (p.LanesOf(r).Slice(lane, 1) == 0) continue;
      const auto element = [&](std::size_t i) {
        const std::int64_t byte = lane * static_cast<std::int64_t>(sizeof(T));
        return emulator::Load<T>(
            ub, p.src(i).BlockAt(r, static_cast<int>(byte / 32)) + byte % 32);
      };
      const std::uint64_t bits =
          Value{}(TwoLanes<T>{p, element(0), element(1)});
      for (std::int64_t i = 0; i < to; ++i) {
        result[static_cast<std::size_t>(lane * to + i)] =
            static_cast<std::uint8_t>(bits >> 8 * i);
      }
    }
  };
  return PlantedIn(&emulator::LanewiseSeams::kernels, seams.kernels, label);
}

/// A whole number as one of 8 bits.
std::uint64_t Byte(const Plan& p, double value) {
  const bool is_signed = p.dst_dtype == DType::kInt8;
  const double fitting =
      std::clamp<double>(value, is_signed ? -128 : 0, is_signed ? 127 : 255);
  return static_cast<std::uint8_t>(static_cast<int>(fitting));
}

Table OfCastOfTwo(const LaneRow& row) {
  using enum isa::RoundMode;
  const bool product = row.signature.op == "MulCast";
  return {
      Rounding<kNone, kTrunc>(row("result-truncates", kValue,
                                  "cuts what is left", "a conversion of C")),
      Rounding<kNone, kRound>(
          row("result-ties-away", kValue, "rounds ties away from zero")),
      Rounding<kNone, kCeil>(row("result-rounds-up", kValue, "rounds up")),
      row("half-never-saturates", kValue,
          "saturation mode has no effect on half")
          .Where(!product)
          .Planned([](Plan& p) {
            if (p.dst_dtype == DType::kHalf) p.saturation = false;
          }),
      row("half-always-saturates", kValue, "saturates half in either mode")
          .Where(!product)
          .Planned([](Plan& p) { p.saturation = true; }),
      row("narrow-result-by-lanes-of-src", kAddress,
          "takes the blocks of dst for those of src",
          "one stride for both types")
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount()) return;
            p.dst().repeat_stride = p.src(0).repeat_stride;
          }),
      OfTwo<H>(row("half-rounded-once", kValue,
                   "converts a result that was not rounded to half",
                   "a fused path of 32 bits"),
               [](const TwoLanes<H>& v) {
                 const double exact = v.Exact();
                 if (std::isnan(exact)) return std::uint64_t{0};
                 return Byte(v.plan,
                             std::nearbyint(v.Rectifies() ? std::fmax(exact, 0)
                                                          : exact));
               }),
      OfTwo<H>(row("half-beyond-wraps", kValue,
                   "keeps the low 8 bits of what is beyond dst's type",
                   "a conversion of C"),
               [](const TwoLanes<H>& v) {
                 const double value = TwoLanes<H>::ValueOf(v.Rounded());
                 if (!std::isfinite(value) || (v.Rectifies() && value < 0)) {
                   return v.Real();
                 }
                 const auto whole =
                     static_cast<std::int64_t>(std::nearbyint(value));
                 return static_cast<std::uint64_t>(whole) & 0xff;
               }),
      OfTwo<H>(row("half-nan-is-the-least", kValue,
                   "gives the least number of dst's type for NaN", "cvtps2dq"),
               [](const TwoLanes<H>& v) {
                 if (!std::isnan(v.Exact())) return v.Real();
                 return std::uint64_t{0x80};
               }),
      OfTwo<H>(row("half-relu-left-out", kValue, "leaves out Relu of halves")
                   .Where(!product),
               [](const TwoLanes<H>& v) {
                 return std::isnan(v.Exact()) ? 0 : v.Converted(v.Rounded());
               }),
      OfTwo<F>(row("float-relu-left-out", kValue, "leaves out Relu of floats")
                   .Where(!product),
               [](const TwoLanes<F>& v) {
                 return std::isnan(v.Exact()) ? 0 : v.Converted(v.Rounded());
               }),
      OfTwo<Int16>(
          row("int16-relu-left-out", kValue, "leaves out Relu of int16")
              .Where(!product),
          [](const TwoLanes<Int16>& v) { return v.Converted(v.Rounded()); }),
      OfTwo<F>(row("float-nan-stays", kValue, "gives a NaN for NaN of float",
                   "IEEE 754")
                   .Where(!product),
               [](const TwoLanes<F>& v) {
                 return std::isnan(v.Exact()) ? v.Converted(v.Rounded())
                                              : v.Real();
               }),
      OfTwo<F>(row("float-through-half", kValue,
                   "rounds floats to half before they are added")
                   .Where(!product),
               [](const TwoLanes<F>& v) {
                 const auto half = [](F bits) {
                   return BitsOf(HalfToFloat(FloatToHalf(FloatOf(bits))));
                 };
                 return TwoLanes<F>{v.plan, half(v.a), half(v.b)}.Real();
               }),
      OfTwo<Int16>(
          row("int16-wraps", kValue, "wraps int16 before Relu").Where(!product),
          [](const TwoLanes<Int16>& v) {
            const auto wrapped =
                static_cast<Int16>(static_cast<std::int64_t>(v.Exact()));
            return v.Converted(std::max<Int16>(wrapped, 0));
          }),
      OfTwo<Int16>(row("int16-keeps-8-bits", kValue,
                       "keeps the low 8 bits of int16", "a conversion of C")
                       .Where(!product),
                   [](const TwoLanes<Int16>& v) {
                     return static_cast<std::uint64_t>(
                                std::max<Int16>(v.Rounded(), 0)) &
                            0xff;
                   }),
      OfTwo<H>(row("uint8-as-int8", kValue, "gives nothing above 127 as uint8")
                   .Where(product),
               [](const TwoLanes<H>& v) {
                 const std::uint64_t real = v.Real();
                 return v.plan.dst_dtype == DType::kUint8
                            ? std::min<std::uint64_t>(real, 127)
                            : real;
               }),
      OfTwo<H>(row("uint8-of-negative-wraps", kValue,
                   "keeps low bits of negative numbers as uint8")
                   .Where(product),
               [](const TwoLanes<H>& v) {
                 const double value = TwoLanes<H>::ValueOf(v.Rounded());
                 const bool wraps = v.plan.dst_dtype == DType::kUint8 &&
                                    value < 0 && value > -256;
                 return wraps ? static_cast<std::uint64_t>(
                                    static_cast<std::int64_t>(value)) &
                                    0xff
                              : v.Real();
               }),
      OfTwo<H>(row("product-of-magnitudes", kValue,
                   "leaves out the sign of the product")
                   .Where(product),
               [](const TwoLanes<H>& v) {
                 return TwoLanes<H>{v.plan, static_cast<H>(v.a & 0x7fff),
                                    static_cast<H>(v.b & 0x7fff)}
                     .Real();
               }),
      OfTwo<H>(row("operands-swapped", kValue, "subtracts src0 from src1")
                   .Where(row.signature.op == "SubReluCast"),
               [](const TwoLanes<H>& v) {
                 return TwoLanes<H>{v.plan, v.b, v.a}.Real();
               }),
  };
}

/// The bit that a comparison gave of a lane, changed before it is written:
/// `change(plan, bits of the first, bits of the second, bit)`.
template <class Change>
Mutant Reconsidered(const LaneLabel& label, Change) {
  return label.Written(
      [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
        Result other = result;
        const std::int64_t bytes = p.src(0).element_bytes;
        const auto bits = [&](std::size_t source, int lane) {
          if (source >= p.signature->sources()) return p.scalar;
          const std::int64_t byte = lane * bytes;
          const std::int64_t at =
              p.src(source).BlockAt(r, static_cast<int>(byte / 32)) + byte % 32;
          return bytes == 2 ? std::uint64_t{emulator::Load<H>(ub, at)}
                            : std::uint64_t{emulator::Load<F>(ub, at)};
        };
        for (int lane = 0; lane < 256 / bytes; ++lane) {
          if (p.LanesOf(r).Slice(lane, 1) == 0) continue;
          std::uint8_t& byte = other[static_cast<std::size_t>(lane / 8)];
          const auto one = static_cast<std::uint8_t>(1 << lane % 8);
          const bool bit =
              Change{}(p, bits(0, lane), bits(1, lane), (byte & one) != 0);
          byte = static_cast<std::uint8_t>(bit ? byte | one : byte & ~one);
        }
        PlainSeams(*p.signature).write_back(p, r, other, ub);
      });
}

/// `wanted` compares in another way.
template <isa::CmpMode kWanted, isa::CmpMode kOther>
Mutant ComparingBy(const LaneLabel& label) {
  return label.Planned([](Plan& p) {
    if (p.cmp_mode == kWanted) p.cmp_mode = kOther;
  });
}

std::uint64_t MagnitudeOf(const Plan& p, std::uint64_t bits) {
  return bits & (p.dtype == DType::kHalf ? 0x7fff : 0x7fffffff);
}

Table OfCompared(const LaneRow& row) {
  using enum isa::CmpMode;
  return {
      ComparingBy<kLt, kLe>(
          row("lt-is-le", kValue, "LT holds of equal values")),
      ComparingBy<kLe, kLt>(
          row("le-is-lt", kValue, "LE fails of equal values")),
      ComparingBy<kGt, kGe>(
          row("gt-is-ge", kValue, "GT holds of equal values")),
      ComparingBy<kGe, kGt>(
          row("ge-is-gt", kValue, "GE fails of equal values")),
      ComparingBy<kGt, kLt>(row("gt-is-lt", kValue, "GT compares as LT",
                                "operands in the other order")),
      ComparingBy<kNe, kEq>(row("ne-is-eq", kValue, "NE compares as EQ")),
      ComparingBy<kEq, kGe>(
          row("eq-is-ge", kValue, "EQ holds of larger values")),
      Reconsidered(
          row("ne-of-nan-holds", kValue, "a NaN is unequal", "IEEE 754"),
          [](const Plan& p, std::uint64_t a, std::uint64_t b, bool bit) {
            const bool nan = IsNanOf(p.dtype, a) || IsNanOf(p.dtype, b);
            return bit || (nan && p.cmp_mode == kNe);
          }),
      Reconsidered(
          row("le-of-nan-holds", kValue, "LE holds of NaN: it is not greater",
              "a comparison turned round"),
          [](const Plan& p, std::uint64_t a, std::uint64_t b, bool bit) {
            const bool nan = IsNanOf(p.dtype, a) || IsNanOf(p.dtype, b);
            return bit || (nan && p.cmp_mode == kLe);
          }),
      Reconsidered(
          row("nan-equals-itself", kValue,
              "EQ holds of a NaN and the same bits", "memcmp"),
          [](const Plan& p, std::uint64_t a, std::uint64_t b, bool bit) {
            return bit || (p.cmp_mode == kEq && a == b);
          }),
      Reconsidered(
          row("zeros-differ", kValue, "-0 is less than +0",
              "a comparison of bits"),
          [](const Plan& p, std::uint64_t a, std::uint64_t b, bool bit) {
            const bool zeros =
                MagnitudeOf(p, a) == 0 && MagnitudeOf(p, b) == 0 && a != b;
            return zeros && p.dtype != DType::kInt32 ? p.cmp_mode == kNe : bit;
          }),
      Reconsidered(
          row("subnormals-are-zero", kValue,
              "takes subnormal numbers for zeros", "DAZ mode"),
          [](const Plan& p, std::uint64_t a, std::uint64_t b, bool bit) {
            const std::uint64_t normal = p.dtype == DType::kHalf    ? 0x400
                                         : p.dtype == DType::kFloat ? 0x800000
                                                                    : 0;
            const bool small =
                MagnitudeOf(p, a) < normal && MagnitudeOf(p, b) < normal;
            return small ? p.cmp_mode == kEq || p.cmp_mode == kLe ||
                               p.cmp_mode == kGe
                         : bit;
          }),
      row("highest-bit-first", kAddress,
          "puts the first lane into the highest bit of a byte",
          "the page's 'from left to right'")
          .Written(
              [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
                Result other{};
                for (std::size_t i = 0; i < 256; ++i) {
                  for (int bit = 0; bit < 8; ++bit) {
                    const int one = result[i % 32] >> bit & 1;
                    other[i % 32] = static_cast<std::uint8_t>(
                        (other[i % 32] & ~(128 >> bit)) | one << (7 - bit));
                  }
                }
                PlainSeams(*p.signature).write_back(p, r, other, ub);
              }),
      row("bytes-of-words-swapped", kAddress,
          "puts the bytes of 16 bits in the other order", "big endian")
          .Written(
              [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
                Result other = result;
                for (std::size_t i = 0; i < 32; i += 2) {
                  std::swap(other[i], other[i + 1]);
                }
                PlainSeams(*p.signature).write_back(p, r, other, ub);
              }),
      row("byte-behind-written", kUnmasked,
          "changes the byte behind the results of an iteration")
          .Written(
              [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
                PlainSeams(*p.signature).write_back(p, r, result, ub);
                const std::int64_t behind =
                    p.dst().BlockAt(r, 0) + p.packed_bytes();
                const auto old = emulator::Load<std::uint8_t>(ub, behind);
                emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
              }),
      row("results-apart-by-stride", kDstStride,
          "puts results of iterations apart by dstRepStride",
          "what other calls do with it")
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount()) p.dst().repeat_stride = 32 * c.RepStride(0);
          }),
      row("results-of-64-bits", kAddress,
          "puts results of iterations 16 bytes apart for each type")
          .Planned([](Plan& p) { p.dst().repeat_stride = 16; }),
      row("mask-counts-everywhere", kMaskLanes,
          "has a mask that counts on each product")
          .Planned([](Plan& p, const Call& c, const State& s) {
            if (c.IsByCount()) return;
            p.lanes = emulator::MaskOf(c, s);
            if (p.lane_bytes >= 4) p.lanes.high = 0;
            p.last_lanes = p.lanes;
          }),
      row("mask-never-counts", kUnmasked,
          "has a mask without effect on atlas-200i-500-a2, too")
          .Planned([](Plan& p, const Call& c) {
            if (c.IsByCount() || p.lanes.empty()) return;
            p.lanes = p.last_lanes = LaneMask::First(256 / p.lane_bytes);
          }),
      row("masked-bits-kept", kUnmasked,
          "keeps the bits of lanes outside the mask", "merging masking")
          .Written(
              [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
                Result other = result;
                const LaneMask& lanes = p.LanesOf(r);
                const std::int64_t at = p.dst().BlockAt(r, 0);
                for (std::int64_t i = 0; i < p.packed_bytes(); ++i) {
                  const auto old = emulator::Load<std::uint8_t>(ub, at + i);
                  const auto kept = static_cast<std::uint8_t>(
                      old & ~lanes.Slice(static_cast<int>(8 * i), 8));
                  other[static_cast<std::size_t>(i)] |= kept;
                }
                PlainSeams(*p.signature).write_back(p, r, other, ub);
              }),
  };
}

/// The real result with the other sign, but of NaN.
constexpr auto kNegated = []<class T>(const Lane<T>& v) {
  constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
  const T value = v.Real();
  return IsNan(value) ? value : static_cast<T>(value ^ kSign);
};
/// The real result without its sign.
constexpr auto kUnsigned = []<class T>(const Lane<T>& v) {
  constexpr T kMagnitude = static_cast<T>(~T{}) >> 1;
  return static_cast<T>(v.Real() & kMagnitude);
};

/// Special values, signs and overflow: of all others no document states how
/// far they may be away.
Table OfNearly(const LaneRow& row) {
  const bool exponential = row.IsNearly("Exponential");
  const bool has_negative_zero = row.IsNearly("Quotient") ||
                                 row.IsNearly("Reciprocal") ||
                                 row.IsNearly("Root");
  const bool makes_nan = !exponential && !row.IsNearly("Reciprocal");
  const bool makes_infinity = !exponential && !row.IsNearly("Root");
  const bool has_negative =
      !exponential && !row.IsNearly("Root") && !row.IsNearly("InverseRoot");
  return {
      row("half-negated", kValue, "gives halves with the other sign")
          .Of<H>(kNegated),
      row("float-negated", kValue, "gives floats with the other sign")
          .Of<F>(kNegated),
      row("half-sign-lost", kValue, "gives halves without a sign")
          .Where(has_negative)
          .Of<H>(kUnsigned),
      row("float-sign-lost", kValue, "gives floats without a sign")
          .Where(has_negative)
          .Of<F>(kUnsigned),
      row("half-invalid-gives-zero", isa::arith::kNan,
          "gives 0 where a half that is no NaN makes one",
          "a table without an entry")
          .Where(makes_nan)
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            const bool made = IsNan(value) && !IsNan(v[0]) && !IsNan(v[1]);
            return made ? H{0} : value;
          }),
      row("float-invalid-gives-infinity", isa::arith::kNan,
          "gives infinity where a float that is no NaN makes one",
          "one flag for both")
          .Where(makes_nan)
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            const bool made = IsNan(value) && !IsNan(v[0]) && !IsNan(v[1]);
            return made ? F{0x7f800000} : value;
          }),
      row("half-zero-sign-lost", isa::arith::kZeroSign,
          "gives +0 for a half -0")
          .Where(has_negative_zero)
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            return value == 0x8000u ? H{0} : value;
          }),
      row("float-zero-sign-lost", isa::arith::kZeroSign,
          "gives +0 for a float -0")
          .Where(has_negative_zero)
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            return value == 0x80000000u ? F{0} : value;
          }),
      row("half-infinity-of-zero-lost", kValue,
          "gives the largest half for zero", "a reciprocal without infinity")
          .Where(makes_infinity)
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            return (value & 0x7fffu) == 0x7c00u ? static_cast<H>(value - 1)
                                                : value;
          }),
      row("float-infinite-operand-gives-nan", kValue,
          "gives NaN for an infinite float", "inf - inf in a reduction")
          .Of<F>([](const Lane<F>& v) {
            return (v[0] & 0x7fffffffu) == 0x7f800000u ? F{0x7fc00000}
                                                       : v.Real();
          }),
      row("half-saturates-one-step-low", isa::state::kSaturation,
          "saturates at 65472, one step below the largest half",
          "a bound written from memory")
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real();
            const bool bound = (value & 0x7fffu) == emulator::kHalfMax;
            return static_cast<H>(value - (v.plan.saturation && bound));
          }),
      row("float-nan-gives-zero", isa::arith::kNan, "gives 0 for a float NaN")
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            return IsNan(value) ? F{0} : value;
          }),
      row("half-operand-kept", kValue, "leaves a half as it is",
          "a call that is no more than a copy")
          .Of<H>([](const Lane<H>& v) {
            return Saturated(v[0], v.plan.saturation);
          }),
      row("float-zero-operand-kept", kValue, "leaves a float zero as it is",
          "0 in, 0 out")
          .Where(!row.IsNearly("Root"))
          .Of<F>([](const Lane<F>& v) {
            return (v[0] & 0x7fffffffu) == 0 ? v[0] : v.Real();
          }),
      row("half-operands-swapped", kValue, "divides src1 by src0",
          "argument orders differ between libraries")
          .Where(row.two_sources())
          .Of<H>(kReversed),
      row("float-operands-swapped", kValue, "divides src1 by src0",
          "argument orders differ between libraries")
          .Where(row.two_sources())
          .Of<F>(kReversed),
  };
}

/// The element of a lane of `operand`.
std::uint32_t ElementAt(const Plan& p, const VectorOperand& operand,
                        std::int64_t r, int lane, Ub ub) {
  const std::int64_t byte = lane * p.lane_bytes;
  const std::int64_t at =
      operand.BlockAt(r, static_cast<int>(byte / 32)) + byte % 32;
  return p.lane_bytes == 2 ? emulator::Load<H>(ub, at)
                           : emulator::Load<F>(ub, at);
}

bool BitAt(const Plan& p, std::int64_t r, std::int64_t bit, Ub ub) {
  const std::int64_t at = p.src(1).BlockAt(r, 0) + bit / 8;
  return (emulator::Load<std::uint8_t>(ub, at) >> bit % 8 & 1) != 0;
}

/// Selects by `Bit(plan, iteration, lane, ub)`.
template <class Bit>
Mutant SelectingBy(const LaneLabel& label, Bit) {
  return label.Written(
      [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
        Result other = result;
        for (int lane = 0; lane < 256 / p.lane_bytes; ++lane) {
          if (p.LanesOf(r).Slice(lane, 1) == 0) continue;
          const std::uint32_t bits =
              Bit{}(p, r, lane, ub) ? ElementAt(p, p.src(0), r, lane, ub)
              : p.selects_scalar    ? static_cast<std::uint32_t>(p.scalar)
                                    : ElementAt(p, p.src(2), r, lane, ub);
          if (p.lane_bytes == 2) {
            emulator::Store(Ub(other), lane * 2, static_cast<H>(bits));
          } else {
            emulator::Store(Ub(other), lane * 4, bits);
          }
        }
        PlainSeams(*p.signature).write_back(p, r, other, ub);
      });
}

/// What is selected becomes `Change(element)` where elements are `T`.
template <class T, class Change>
Mutant Changing(const LaneLabel& label, Change) {
  return label.Written(
      [](const Plan& p, std::int64_t r, const Result& result, Ub ub) {
        Result other = result;
        for (std::size_t i = 0; sizeof(T) == p.lane_bytes && i < 256;
             i += sizeof(T)) {
          const auto at = static_cast<std::int64_t>(i);
          emulator::Store(
              Ub(other), at,
              static_cast<T>(Change{}(p, emulator::Load<T>(other, at))));
        }
        PlainSeams(*p.signature).write_back(p, r, other, ub);
      });
}

Table OfSelected(const LaneRow& row) {
  return {
      row("src0-where-bits-are-0", kValue, "takes src0 where a bit is 0",
          "operands of a blend in the other order")
          .Planned([](Plan& p) {
            if (!p.selects_scalar) std::swap(p.src(0), p.src(2));
          }),
      row("scalar-ignored", kValue, "takes 0 for the scalar")
          .Planned([](Plan& p) { p.scalar = 0; }),
      row("scalar-low-half", kValue, "keeps the low 16 bits of the scalar")
          .Planned([](Plan& p) { p.scalar &= 0xffffu; }),
      row("src1-strides-of-src0", kAddress,
          "reads src1 with the strides of src0", "a line copied but not edited")
          .Planned([](Plan& p) {
            p.src(2).block_stride = p.src(0).block_stride;
            p.src(2).repeat_stride = p.src(0).repeat_stride;
          }),
      row("src1-rep-stride-7-bit", kAddress,
          "keeps seven bits of src1RepStride", "uint8_t read as int8_t")
          .Planned([](Plan& p) { p.src(2).repeat_stride %= 128 * 32; }),
      row("bits-of-the-first-iteration", kBits,
          "takes the bits of the first iteration for all",
          "VSEL_CMPMASK_SPR in the place of the other modes")
          .Planned([](Plan& p) { p.src(1).repeat_stride = 0; }),
      row("bits-go-on-in-every-mode", kBits,
          "takes the next bits in each iteration of VSEL_CMPMASK_SPR, too")
          .Planned([](Plan& p) {
            p.src(1).repeat_stride = 8 * p.src(1).block_stride;
          }),
      row("bits-of-an-iteration-aligned", kBits,
          "begins the bits of each iteration at a DataBlock",
          "strides of DataBlocks, as other operands have")
          .Planned([](Plan& p) {
            if (p.src(1).repeat_stride != 0) p.src(1).repeat_stride = 32;
          }),
      row("bits-of-128-lanes", kBits,
          "takes 16 bytes of bits for each iteration of float, too",
          "a size written for the 16-bit types alone")
          .Planned([](Plan& p) {
            if (p.src(1).repeat_stride != 0) p.src(1).repeat_stride = 16;
          }),
      SelectingBy(row("bits-highest-first", kBits,
                      "takes the highest bit of a byte first"),
                  [](const Plan& p, std::int64_t r, int lane, Ub ub) {
                    return BitAt(p, r, lane ^ 7, ub);
                  }),
      SelectingBy(row("bits-of-words-turned", kBits,
                      "takes the high byte of each two first",
                      "words of another byte order"),
                  [](const Plan& p, std::int64_t r, int lane, Ub ub) {
                    return BitAt(p, r, lane ^ 8, ub);
                  }),
      SelectingBy(
          row("bits-one-lane-off", kBits, "takes the bit of the lane before"),
          [](const Plan& p, std::int64_t r, int lane, Ub ub) {
            return BitAt(p, r, lane == 0 ? 0 : lane - 1, ub);
          }),
      SelectingBy(row("bits-without-gaps", kBits,
                      "takes a bit for each lane that takes part, one behind "
                      "the other"),
                  [](const Plan& p, std::int64_t r, int lane, Ub ub) {
                    std::int64_t before = 0;
                    for (int n = 0; n < lane; ++n) {
                      before += p.LanesOf(r).Slice(n, 1) != 0 ? 1 : 0;
                    }
                    return BitAt(p, r, before, ub);
                  }),
      SelectingBy(row("bytes-for-bits", kBits, "selects by whether a byte is 0",
                      "SelectWithBytesMask"),
                  [](const Plan& p, std::int64_t r, int lane, Ub ub) {
                    return emulator::Load<std::uint8_t>(
                               ub, p.src(1).BlockAt(r, 0) + lane) != 0;
                  }),
      Changing<H>(
          row("half-saturated", kValue, "saturates a half",
              "a selection on the path of arithmetic"),
          [](const Plan& p, H bits) { return Saturated(bits, p.saturation); }),
      Changing<H>(
          row("half-nan-without-payload", kValue,
              "gives one NaN for every half NaN",
              "a selection on the path of arithmetic"),
          [](const Plan&, H bits) { return IsNan(bits) ? H{0x7e00} : bits; }),
      Changing<F>(
          row("float-nan-quieted", kValue, "makes signaling NaN of float quiet",
              "a move through a register of floats"),
          [](const Plan&, F bits) {
            return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits;
          }),
      Changing<F>(row("float-subnormals-flushed", kValue,
                      "makes subnormal floats zero", "FTZ and DAZ mode"),
                  [](const Plan&, F bits) { return FlushedFloat(bits); }),
      Changing<H>(
          row("half-zero-without-sign", kValue, "makes -0.0 of half +0.0"),
          [](const Plan&, H bits) { return bits == 0x8000 ? H{0} : bits; }),
  };
}

}  // namespace

Table ResultKernels(const LaneRow& row) {
  if (row.GivesNearly()) return OfNearly(row);
  if (row.HasModes()) return OfConverted(row);
  if (row.Converts()) return OfCastOfTwo(row);
  if (row.Packs()) return OfCompared(row);
  if (row.value == "Copy") return OfCopy(row);
  if (row.Counts()) {
    return Joined(OfCounted(row), Wrapping(row));
  }
  if (row.Shifts()) return OfShift(row);
  if (row.Selects()) return OfSelected(row);
  if (row.GivesTwoResults()) {
    return Joined(Roundings(row), SpecialResults(row), OfTwoResults(row));
  }
  if (row.GivesBits()) return OfBits(row);
  if (row.GivesMagnitude()) return Wrapping(row);
  if (row.value == "Leaky") {
    return Joined(Roundings(row), SpecialResults(row), OfLeaky(row));
  }
  if (row.GivesRectified()) {
    return Joined(Roundings(row), SpecialResults(row), Wrapping(row),
                  OfPositive(row), OfRectified(row));
  }
  if (row.GivesPositive()) return OfPositive(row);
  if (!row.GivesResultOfTwo()) return {};
  const Table all = Joined(Roundings(row), SpecialResults(row), Wrapping(row),
                           Overflows(row));
  if (row.value == "ResultOfTwo<Sum>") return Joined(all, OfSum(row));
  if (row.value == "ResultOfTwo<Difference>") {
    return Joined(all, OfDifference(row));
  }
  return row.value == "ResultOfTwo<Product>" ? Joined(all, OfProduct(row))
                                             : all;
}

}  // namespace lanediff::mutants::lanewise

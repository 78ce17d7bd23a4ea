// Lane-wise calls: kernels of those with results of their own that round or
// overflow in another way.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "emulator/arithmetic.h"
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
      row("int16-low-byte", kValue, "fills with the low byte of int16",
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

}  // namespace

Table ResultKernels(const LaneRow& row) {
  if (row.value == "Copy") return OfCopy(row);
  if (row.Shifts()) return OfShift(row);
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

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "emulator/arithmetic.h"
#include "emulator/lanewise.h"

/// What the lane-wise calls compute of one element of each source, of the
/// scalar, and of dst where it is an input, too: *-VALUE and
/// *-INTEGER-OVERFLOW.
namespace lanediff::emulator {

/// Of the instruction in row `kRow`: those of Half, Float and Integer<Int> that
/// its types need. Defined by a line in lanewise.inc.
template <std::size_t kRow>
struct LanewiseValue;

/// Of two floating values as bits the one that comes first by `Before`, -0
/// below +0; a NaN wins and becomes `kNan`. `kInf` are the bits of infinity.
template <class Before, class Bits, Bits kInf, Bits kNan>
Bits FirstFloating(Bits a, Bits b) {
  constexpr Bits kSign = std::numeric_limits<Bits>::max() / 2 + 1;
  constexpr Bits kMagnitude = kSign - 1;
  if ((a & kMagnitude) > kInf || (b & kMagnitude) > kInf) return kNan;
  // Bits in the order of the values: negative ones are turned round.
  const auto key = [](Bits x) {
    return static_cast<Bits>((x & kSign) != 0 ? ~x : x | kSign);
  };
  return Before{}(key(b), key(a)) ? b : a;
}

/// One of the two elements: `Before` is std::less<> or std::greater<>.
template <class Before>
struct OneOfTwo {
  static std::uint16_t Half(std::uint16_t a, std::uint16_t b, bool saturation) {
    return SaturatedHalf(
        FirstFloating<Before, std::uint16_t, 0x7c00u, 0x7e00u>(a, b),
        saturation);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t b, bool) {
    return FirstFloating<Before, std::uint32_t, 0x7f800000u, 0x7fc00000u>(a, b);
  }
  template <class Int>
  static Int Integer(Int a, Int b, bool) {
    return Before{}(b, a) ? b : a;
  }
};

using Smaller = std::less<>;
using Larger = std::greater<>;

/// A result of its own, which may be too large.
template <class Operator>
struct ResultOfTwo {
  static constexpr auto Half = HalfOf<Operator>;
  static constexpr auto Float = FloatOf<Operator>;
  template <class Int>
  static constexpr auto Integer = IntegerOf<Operator, Int>;
};
using Sum = std::plus<>;
using Difference = std::minus<>;
using Product = std::multiplies<>;

/// The value without its sign.
struct Magnitude {
  static std::uint16_t Half(std::uint16_t a, bool saturation) {
    const auto magnitude = static_cast<std::uint16_t>(a & 0x7fffu);
    return SaturatedHalf(magnitude > 0x7c00u ? 0x7e00u : magnitude, saturation);
  }
  static std::uint32_t Float(std::uint32_t a, bool) {
    const std::uint32_t magnitude = a & 0x7fffffffu;
    return magnitude > 0x7f800000u ? 0x7fc00000u : magnitude;
  }
  template <class Int>
  static Int Integer(Int a, bool saturation) {
    using Limits = std::numeric_limits<Int>;
    if (a == Limits::min()) return saturation ? Limits::max() : a;
    return static_cast<Int>(a < 0 ? -a : a);
  }
};

/// A bit from the two bits at its place.
template <class Operator>
struct BitsOfTwo {
  template <class Int>
  static Int Integer(Int a, Int b, bool) {
    return static_cast<Int>(Operator{}(a, b));
  }
};
using Conjunction = std::bit_and<>;
using Disjunction = std::bit_or<>;

/// Each bit is the other one.
struct Complement {
  template <class Int>
  static Int Integer(Int a, bool) {
    return static_cast<Int>(~a);
  }
};

/// What `OfTwo` makes of the value and +0.
template <class OfTwo>
struct AgainstZero {
  static std::uint16_t Half(std::uint16_t a, bool saturation) {
    return OfTwo::Half(a, 0, saturation);
  }
  static std::uint32_t Float(std::uint32_t a, bool saturation) {
    return OfTwo::Float(a, 0, saturation);
  }
  template <class Int>
  static Int Integer(Int a, bool saturation) {
    return OfTwo::Integer(a, Int{0}, saturation);
  }
};

/// The value, multiplied by the scalar where it has a sign, else by 1.
struct Leaky {
  static std::uint16_t Half(std::uint16_t a, std::uint16_t scalar,
                            bool saturation) {
    constexpr std::uint16_t kOne = 0x3c00u;
    return HalfOf<Product>(a, (a >> 15) != 0 ? scalar : kOne, saturation);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t scalar,
                             bool saturation) {
    constexpr std::uint32_t kOne = 0x3f800000u;
    return FloatOf<Product>(a, (a >> 31) != 0 ? scalar : kOne, saturation);
  }
};

/// The larger of +0 and a result of its own, which is rounded, saturated or
/// wrapped by itself.
template <class Operator>
struct Rectified {
  using Result = ResultOfTwo<Operator>;
  using Relu = AgainstZero<OneOfTwo<Larger>>;

  static std::uint16_t Half(std::uint16_t a, std::uint16_t b, bool saturation) {
    return Relu::Half(Result::Half(a, b, saturation), saturation);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t b,
                             bool saturation) {
    return Relu::Float(Result::Float(a, b, saturation), saturation);
  }
  template <class Int>
  static Int Integer(Int a, Int b, bool saturation) {
    return Relu::Integer(Result::template Integer<Int>(a, b, saturation),
                         saturation);
  }
};

/// The bits as they are.
struct Copy {
  template <class Bits>
  static Bits Integer(Bits a, bool) {
    return a;
  }
  static constexpr auto Half = Integer<std::uint16_t>;
  static constexpr auto Float = Integer<std::uint32_t>;
};

/// The scalar plus the number of the lane, with one rounding. Numbers are less
/// than 2^24, which floats have.
struct Counted {
  static std::uint16_t Half(std::uint16_t first, std::int64_t number,
                            bool saturation) {
    return SaturatedHalf(
        FloatToHalf(OddFloat(HalfToFloat(first) + static_cast<double>(number))),
        saturation);
  }
  static std::uint32_t Float(std::uint32_t first, std::int64_t number,
                             bool saturation) {
    return FloatOf<Sum>(
        first, std::bit_cast<std::uint32_t>(static_cast<float>(number)),
        saturation);
  }
  template <class Int>
  static Int Integer(Int first, std::int64_t number, bool saturation) {
    using Limits = std::numeric_limits<Int>;
    const std::int64_t exact = first + number;
    return static_cast<Int>(
        saturation
            ? std::clamp<std::int64_t>(exact, Limits::min(), Limits::max())
            : exact);
  }

 private:
  /// Rounded to odd: a half rounded from it is the one of `exact`, which a
  /// float may not hold.
  static float OddFloat(double exact) {
    const auto nearest = static_cast<float>(exact);
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (nearest == exact || (bits & 1) != 0 || std::isnan(exact)) {
      return nearest;
    }
    bits += std::abs(nearest) < std::abs(exact) ? 1u : ~0u;
    return std::bit_cast<float>(bits);
  }
};

/// The bits moved to the left; of signed types the sign bit stays. A shift by
/// more bits than `Int` has, which is illegal, is one by all.
struct LeftShifted {
  template <class Int>
  static Int Integer(Int a, Int by, bool) {
    using Bits = std::make_unsigned_t<Int>;
    constexpr unsigned kAll = std::numeric_limits<Bits>::digits;
    constexpr auto kSign =
        static_cast<Bits>(std::is_signed_v<Int> ? Bits{1} << (kAll - 1) : 0);
    const unsigned bits = std::min<unsigned>(static_cast<Bits>(by), kAll);
    const auto word = static_cast<Bits>(a);
    const auto moved = static_cast<Bits>(std::uint64_t{word} << bits);
    return static_cast<Int>((moved & ~kSign) | (word & kSign));
  }
};

/// The bits moved to the right, where rounded with half a unit added before.
struct RightShifted {
  template <class Int>
  static Int Integer(Int a, Int by, bool round, bool) {
    using Bits = std::make_unsigned_t<Int>;
    constexpr unsigned kAll = std::numeric_limits<Bits>::digits;
    const unsigned bits = std::min<unsigned>(static_cast<Bits>(by), kAll);
    std::int64_t exact = a;
    if (std::is_signed_v<Int> && round && bits > 0) {
      exact += std::int64_t{1} << (bits - 1);
    }
    return static_cast<Int>(exact >> bits);
  }
};

/// The first element times the one of number `kFactor`, and the one of number
/// `kTerm` added: two results, each rounded, saturated or wrapped.
template <int kFactor, int kTerm>
struct OnProduct {
  template <auto product, auto sum, class T>
  static T Both(T a, T b, T c, bool saturation) {
    const T three[] = {a, b, c};
    return sum(product(a, three[kFactor], saturation), three[kTerm],
               saturation);
  }
  static constexpr auto Half =
      Both<HalfOf<Product>, HalfOf<Sum>, std::uint16_t>;
  static constexpr auto Float =
      Both<FloatOf<Product>, FloatOf<Sum>, std::uint32_t>;
  template <class Int>
  static constexpr auto Integer =
      Both<IntegerOf<Product, Int>, IntegerOf<Sum, Int>, Int>;
};

/// The larger of +0 and what FusedMulAdd gives.
struct PositiveOnProduct {
  using Result = OnProduct<2, 1>;
  using Relu = AgainstZero<OneOfTwo<Larger>>;

  static std::uint16_t Half(std::uint16_t a, std::uint16_t b, std::uint16_t c,
                            bool saturation) {
    return Relu::Half(Result::Half(a, b, c, saturation), saturation);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                             bool saturation) {
    return Relu::Float(Result::Float(a, b, c, saturation), saturation);
  }
};

/// A result that becomes an element of another type: as in saturation mode
/// whatever the mode is, and 0 for NaN.
template <class Result>
struct ForCast {
  static std::uint16_t Half(std::uint16_t a, std::uint16_t b) {
    return Result::Half(a, b, true);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t result = Result::Float(a, b, true);
    return (result & 0x7fffffffu) > 0x7f800000u ? 0 : result;
  }
  template <class Int>
  static Int Integer(Int a, Int b) {
    return Result::template Integer<Int>(a, b, true);
  }
};

/// Whether two numbers are in the relation; none holds of a NaN, not even kNe.
constexpr bool Holds(isa::CmpMode mode, double a, double b) {
  switch (mode) {
    case isa::CmpMode::kLt:
      return a < b;
    case isa::CmpMode::kGt:
      return a > b;
    case isa::CmpMode::kEq:
      return a == b;
    case isa::CmpMode::kLe:
      return a <= b;
    case isa::CmpMode::kGe:
      return a >= b;
    case isa::CmpMode::kNe:
      break;
  }
  return a < b || a > b;
}

/// A bit: `Holds`.
struct Compared {};

/// A double, rounded to float and, of a half, from there to half.
inline std::uint16_t NearlyHalf(double result, bool saturation) {
  return SaturatedHalf(FloatToHalf(static_cast<float>(result)), saturation);
}
inline std::uint32_t NearlyFloat(double result) {
  const auto rounded = static_cast<float>(result);
  return std::isnan(rounded) ? 0x7fc00000u
                             : std::bit_cast<std::uint32_t>(rounded);
}

/// What no document determines to the last bit: `Function` of doubles.
template <class Function>
struct Nearly {
  static std::uint16_t Half(std::uint16_t a, bool saturation) {
    return NearlyHalf(Function{}(HalfToFloat(a)), saturation);
  }
  static std::uint32_t Float(std::uint32_t a, bool) {
    return NearlyFloat(Function{}(std::bit_cast<float>(a)));
  }
};
template <std::invocable<double, double> Function>
struct Nearly<Function> {
  static std::uint16_t Half(std::uint16_t a, std::uint16_t b, bool saturation) {
    return NearlyHalf(Function{}(HalfToFloat(a), HalfToFloat(b)), saturation);
  }
  static std::uint32_t Float(std::uint32_t a, std::uint32_t b, bool) {
    return NearlyFloat(
        Function{}(std::bit_cast<float>(a), std::bit_cast<float>(b)));
  }
};

struct Quotient {
  double operator()(double a, double b) const { return a / b; }
};
struct Exponential {
  double operator()(double a) const { return std::exp(a); }
};
struct Logarithm {
  double operator()(double a) const { return std::log(a); }
};
struct Reciprocal {
  double operator()(double a) const { return 1 / a; }
};
struct Root {
  double operator()(double a) const { return std::sqrt(a); }
};
struct InverseRoot {
  double operator()(double a) const { return 1 / std::sqrt(a); }
};

/// Elements of another type: emulator/conversion.h.
struct Converted {};

/// One of two elements by a bit: emulator/lanewise.cc.
struct Selected {};

#define LANEDIFF_LANEWISE_VALUE(op, limits, ...) \
  template <>                                    \
  struct LanewiseValue<LanewiseRow(#op)> : __VA_ARGS__ {};
#include "emulator/lanewise.inc"
#undef LANEDIFF_LANEWISE_VALUE

}  // namespace lanediff::emulator

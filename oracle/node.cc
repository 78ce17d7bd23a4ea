#include "oracle/node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "oracle/exact_integer.h"
#include "oracle/exact_text.h"
#include "oracle/format.h"
#include "oracle/memory_map.h"
#include "oracle/rounder.h"

namespace lanediff::oracle {
namespace {

/// STATE-SATURATION: ±inf becomes ±65504 and NaN +0, for half alone.
NodeResult Saturate(isa::DType type, NodeResult result, bool saturation) {
  if (type != isa::DType::kHalf || !saturation) return result;
  const Decoded d = Decode(kHalfFormat, result.bits);
  if (d.IsNan()) {
    result.bits = 0;
    result.saturated = true;
  } else if (d.IsInfinite()) {
    result.bits = kHalfFormat.Greatest(d.negative);
    result.saturated = true;
  }
  return result;
}

/// *-INTEGER-OVERFLOW: `exact` as a value of `type`, int16 or int32. Outside of
/// it, the type's least or greatest value with `saturation`, else the low bits
/// in two's complement.
NodeResult Fit(isa::DType type, std::int64_t exact, bool saturation) {
  const int width = type == isa::DType::kInt16 ? 16 : 32;
  const std::int64_t least = -(std::int64_t{1} << (width - 1));
  const std::int64_t greatest = -least - 1;
  const bool fits = least <= exact && exact <= greatest;
  const std::int64_t end = exact < 0 ? least : greatest;
  const std::int64_t value = !fits && saturation ? end : exact;
  const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
  return {.bits = static_cast<std::uint64_t>(value) & ones,
          .saturated = !fits && saturation,
          .wrapped = !fits && !saturation};
}

/// The integer that the bits of 16 or 32 are.
NarrowInteger IntegerValue(isa::DType type, std::uint64_t bits) {
  return IsSigned(type) ? NarrowInteger(SignedValue(type, bits))
                        : NarrowInteger(bits);
}

/// `Fit` of any integer type of 16 or 32 bits.
NodeResult FitInteger(isa::DType type, NarrowInteger exact, bool saturation) {
  const NarrowInteger size = NarrowInteger(1)
                             << static_cast<unsigned>(8 * ElementBytes(type));
  const NarrowInteger least =
      IsSigned(type) ? NarrowInteger(-size / 2) : NarrowInteger(0);
  const NarrowInteger greatest = least + size - 1;
  const bool fits = least <= exact && exact <= greatest;
  if (!fits && saturation) exact = exact < least ? least : greatest;
  exact %= size;  // of the sign of `exact`
  if (exact < 0) exact += size;
  return {.bits = static_cast<std::uint64_t>(exact),
          .saturated = !fits && saturation,
          .wrapped = !fits && !saturation};
}

NodeResult FromRounded(const Rounded& r) {
  return {.bits = r.bits, .rounded = r.rounded, .tie = r.tie};
}

/// The sum of finite terms, in integers that hold it whole.
template <class Integer>
NodeResult FiniteAdd(Format format, const Decoded& a, const Decoded& b) {
  const int unit = std::min(a.exponent, b.exponent);
  const Integer sum = InUnits<Integer>(a, unit) + InUnits<Integer>(b, unit);
  // ARITH-ZERO-SIGN: a zero sum is negative only if both terms are.
  const bool negative = sum.is_zero() ? a.negative && b.negative : sum < 0;
  return FromRounded(RoundToNearestEven(format, negative, abs(sum), unit));
}

NodeResult IeeeAdd(Format format, const Decoded& a, const Decoded& b) {
  if (a.IsNan() || b.IsNan()) return {.bits = format.CanonicalNan()};
  if (a.IsInfinite() && b.IsInfinite() && a.negative != b.negative) {
    return {.bits = format.CanonicalNan()};
  }
  if (a.IsInfinite()) return {.bits = format.Infinity(a.negative)};
  if (b.IsInfinite()) return {.bits = format.Infinity(b.negative)};

  const int gap = std::abs(a.exponent - b.exponent);
  return SumBits(format, gap) <= kNarrowBits
             ? FiniteAdd<NarrowInteger>(format, a, b)
             : FiniteAdd<WideInteger>(format, a, b);
}

NodeResult IeeeMultiply(Format format, const Decoded& a, const Decoded& b) {
  const bool negative = a.negative != b.negative;
  const bool infinite = a.IsInfinite() || b.IsInfinite();
  const auto is_zero = [](const Decoded& d) {
    return d.kind == Decoded::Kind::kFinite && d.significand == 0;
  };
  if (a.IsNan() || b.IsNan()) return {.bits = format.CanonicalNan()};
  if (infinite && (is_zero(a) || is_zero(b))) {
    return {.bits = format.CanonicalNan()};
  }
  if (infinite) return {.bits = format.Infinity(negative)};

  const NarrowInteger product = NarrowInteger(a.significand) * b.significand;
  return FromRounded(
      RoundToNearestEven(format, negative, product, a.exponent + b.exponent));
}

/// Whether the finite `a` is below `b`; −0 is below +0 (ARITH-ZERO-SIGN).
template <class Integer>
bool IsFiniteBelow(const Decoded& a, const Decoded& b) {
  const int unit = std::min(a.exponent, b.exponent);
  const Integer x = InUnits<Integer>(a, unit);
  const Integer y = InUnits<Integer>(b, unit);
  if (x.is_zero() && y.is_zero()) return a.negative && !b.negative;
  return x < y;
}

/// Whether `a` is below `b`, neither of them a NaN.
bool IsBelow(Format format, const Decoded& a, const Decoded& b) {
  if (a.IsInfinite() || b.IsInfinite()) {
    const auto end = [](const Decoded& d) {  // of the line, or in between
      return d.IsInfinite() ? (d.negative ? -1 : 1) : 0;
    };
    return end(a) < end(b);
  }
  const int gap = std::abs(a.exponent - b.exponent);
  return SumBits(format, gap) <= kNarrowBits
             ? IsFiniteBelow<NarrowInteger>(a, b)
             : IsFiniteBelow<WideInteger>(a, b);
}

std::uint64_t IeeeMinimum(Format format, std::uint64_t left,
                          std::uint64_t right) {
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  if (a.IsNan() || b.IsNan()) return format.CanonicalNan();
  return IsBelow(format, b, a) ? right : left;
}

std::uint64_t IeeeMaximum(Format format, std::uint64_t left,
                          std::uint64_t right) {
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  if (a.IsNan() || b.IsNan()) return format.CanonicalNan();
  return IsBelow(format, a, b) ? right : left;
}

/// The same value with the other sign, of zeros, infinities and NaNs too.
std::uint64_t Negated(isa::DType type, std::uint64_t bits) {
  return bits ^ FormatOf(type).Sign(true);
}

std::uint64_t IeeeAbsolute(Format format, std::uint64_t bits) {
  if (Decode(format, bits).IsNan()) return format.CanonicalNan();
  return bits & ~format.Sign(true);
}

/// Whether a floating value or an integer has the sign bit.
bool HasSign(isa::DType type, std::uint64_t bits) {
  return (bits >> (8 * ElementBytes(type) - 1) & 1) != 0;
}

/// What Relu makes of `sum`, whose NaN is canonical.
NodeResult Rectified(isa::DType type, const NodeResult& sum) {
  return HasSign(type, sum.bits) ? NodeResult{.wrapped = sum.wrapped} : sum;
}
std::string Rectified(const std::string& exact) {
  return exact.starts_with('-') ? "0" : exact;
}

/// The integer that the bits are.
std::string WordText(isa::DType type, std::uint64_t bits) {
  if (!IsSigned(type) || !HasSign(type, bits)) return std::to_string(bits);
  const std::int64_t width = 8 * ElementBytes(type);
  return "-" + std::to_string((0 - bits) & (~std::uint64_t{0} >> (64 - width)));
}

/// Of one floating value, as the sum of itself alone.
std::string ExactText(isa::DType type, std::uint64_t bits) {
  return ExactSumText(type, std::array{bits});
}

}  // namespace

NodeResult Add(isa::DType type, std::uint64_t left, std::uint64_t right,
               bool saturation) {
  if (!IsFloating(type)) {
    return Fit(type, SignedValue(type, left) + SignedValue(type, right),
               saturation);
  }
  const Format format = FormatOf(type);
  return Saturate(type,
                  IeeeAdd(format, Decode(format, left), Decode(format, right)),
                  saturation);
}

NodeResult AddNumber(isa::DType type, std::uint64_t bits, std::uint64_t number,
                     bool saturation) {
  if (!IsFloating(type)) {
    return Fit(type,
               SignedValue(type, bits) + static_cast<std::int64_t>(number),
               saturation);
  }
  const Format format = FormatOf(type);
  const Decoded first = Decode(format, bits);
  if (first.IsNan() || first.IsInfinite())
    return Add(type, bits, 0, saturation);
  // The number may have more digits than `type`.
  const Decoded second{.significand = number};
  return Saturate(type, FiniteAdd<WideInteger>(format, first, second),
                  saturation);
}

NodeResult Subtract(isa::DType type, std::uint64_t left, std::uint64_t right,
                    bool saturation) {
  if (!IsFloating(type)) {
    return Fit(type, SignedValue(type, left) - SignedValue(type, right),
               saturation);
  }
  return Add(type, left, Negated(type, right), saturation);
}

NodeResult Multiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                    bool saturation) {
  if (!IsFloating(type)) {
    return Fit(type, SignedValue(type, left) * SignedValue(type, right),
               saturation);
  }
  const Format format = FormatOf(type);
  return Saturate(
      type, IeeeMultiply(format, Decode(format, left), Decode(format, right)),
      saturation);
}

NodeResult Compare(isa::DType type, isa::CmpMode mode, std::uint64_t left,
                   std::uint64_t right) {
  bool less = false;
  bool more = false;
  if (IsFloating(type)) {
    const Format format = FormatOf(type);
    const Decoded a = Decode(format, left);
    const Decoded b = Decode(format, right);
    if (a.IsNan() || b.IsNan()) return {.bits = 0};
    const auto is_zero = [](const Decoded& d) {
      return !d.IsInfinite() && d.significand == 0;
    };
    const bool zeros = is_zero(a) && is_zero(b);
    less = !zeros && IsBelow(format, a, b);
    more = !zeros && IsBelow(format, b, a);
  } else if (IsSigned(type)) {
    less = SignedValue(type, left) < SignedValue(type, right);
    more = SignedValue(type, left) > SignedValue(type, right);
  } else {
    less = left < right;
    more = left > right;
  }
  using enum isa::CmpMode;
  const bool equal = !less && !more;
  const bool holds = (less && (mode == kLt || mode == kLe || mode == kNe)) ||
                     (more && (mode == kGt || mode == kGe || mode == kNe)) ||
                     (equal && (mode == kEq || mode == kLe || mode == kGe));
  return {.bits = holds ? 1u : 0u};
}

NodeResult Minimum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation) {
  if (!IsFloating(type)) {
    const bool left_is_smaller =
        SignedValue(type, left) <= SignedValue(type, right);
    return {.bits = left_is_smaller ? left : right};
  }
  return Saturate(type, {.bits = IeeeMinimum(FormatOf(type), left, right)},
                  saturation);
}

NodeResult Maximum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation) {
  if (!IsFloating(type)) {
    const bool left_is_larger =
        SignedValue(type, left) >= SignedValue(type, right);
    return {.bits = left_is_larger ? left : right};
  }
  return Saturate(type, {.bits = IeeeMaximum(FormatOf(type), left, right)},
                  saturation);
}

NodeResult Absolute(isa::DType type, std::uint64_t bits, bool saturation) {
  if (!IsFloating(type)) {
    return Fit(type, std::abs(SignedValue(type, bits)), saturation);
  }
  return Saturate(type, {.bits = IeeeAbsolute(FormatOf(type), bits)},
                  saturation);
}

NodeResult And(isa::DType, std::uint64_t left, std::uint64_t right, bool) {
  return {.bits = left & right};
}

NodeResult Or(isa::DType, std::uint64_t left, std::uint64_t right, bool) {
  return {.bits = left | right};
}

NodeResult Not(isa::DType type, std::uint64_t bits, bool) {
  const std::int64_t width = 8 * ElementBytes(type);
  return {.bits = ~bits & (~std::uint64_t{0} >> (64 - width))};
}

NodeResult Relu(isa::DType type, std::uint64_t bits, bool saturation) {
  return Maximum(type, 0, bits, saturation);
}

NodeResult LeakyRelu(isa::DType type, std::uint64_t bits, std::uint64_t slope,
                     bool saturation) {
  return HasSign(type, bits) ? Multiply(type, bits, slope, saturation)
                             : Relu(type, bits, saturation);
}

NodeResult AddRelu(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation) {
  return Rectified(type, Add(type, left, right, saturation));
}

NodeResult SubRelu(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation) {
  return Rectified(type, Subtract(type, left, right, saturation));
}

NodeResult ShiftLeft(isa::DType type, std::uint64_t bits, std::uint64_t by) {
  const auto width = static_cast<std::uint64_t>(8 * ElementBytes(type));
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  std::uint64_t moved = bits;
  for (std::uint64_t i = 0; i < by && i < width; ++i) {
    const std::uint64_t sign = IsSigned(type) ? bits & top : 0;
    // What is at the top, or beside the sign, is lost.
    const std::uint64_t kept = IsSigned(type) ? top / 2 - 1 : top - 1;
    moved = (moved & kept) * 2 | sign;
  }
  return {.bits = moved};
}

NodeResult ShiftRight(isa::DType type, std::uint64_t bits, std::uint64_t by,
                      bool round) {
  const auto width = static_cast<std::uint64_t>(8 * ElementBytes(type));
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  std::uint64_t moved = bits;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < by && i < width; ++i) {
    last = moved & 1;
    moved = moved / 2 | (IsSigned(type) ? bits & top : 0);
  }
  if (round && IsSigned(type)) moved = (moved + last) % (2 * top);
  return {.bits = moved};
}

NodeResult MultiplyAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
                       std::uint64_t term, bool saturation) {
  NodeResult product;
  NodeResult sum;
  if (IsFloating(type)) {
    product = Multiply(type, left, right, saturation);
    sum = Add(type, product.bits, term, saturation);
  } else {
    product = FitInteger(
        type, IntegerValue(type, left) * IntegerValue(type, right), saturation);
    sum = FitInteger(
        type, IntegerValue(type, product.bits) + IntegerValue(type, term),
        saturation);
  }
  sum.rounded |= product.rounded;
  sum.tie |= product.tie;
  sum.saturated |= product.saturated;
  sum.wrapped |= product.wrapped;
  return sum;
}

NodeResult MultiplyAddRelu(isa::DType type, std::uint64_t left,
                           std::uint64_t right, std::uint64_t term,
                           bool saturation) {
  return Rectified(type, MultiplyAdd(type, left, right, term, saturation));
}

NodeResult Write(isa::DType type, std::uint64_t bits, bool saturation) {
  return Saturate(type, {.bits = bits}, saturation);
}

NodeResult Convert(isa::DType from, isa::DType to, std::uint64_t bits) {
  const Format format = FormatOf(to);
  const Decoded d = Decode(FormatOf(from), bits);
  if (d.IsNan()) return {.bits = format.CanonicalNan()};
  if (d.IsInfinite()) return {.bits = format.Infinity(d.negative)};
  return FromRounded(RoundToNearestEven(
      format, d.negative, NarrowInteger(d.significand), d.exponent));
}

std::string ExactAdd(isa::DType type, std::uint64_t left, std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(SignedValue(type, left) + SignedValue(type, right));
  }
  return ExactSumText(type, std::array{left, right});
}

std::string ExactAddNumber(isa::DType type, std::uint64_t bits,
                           std::uint64_t number) {
  if (!IsFloating(type)) {
    return std::to_string(SignedValue(type, bits) +
                          static_cast<std::int64_t>(number));
  }
  // 1, 2, 4, …, which each type has, and 32768 as often as it goes.
  std::vector<std::uint64_t> terms = {bits};
  const Format format = FormatOf(type);
  for (std::uint64_t rest = number; rest != 0;) {
    const std::uint64_t part =
        std::min<std::uint64_t>(std::bit_floor(rest), std::uint64_t{1} << 15);
    terms.push_back(
        RoundToNearestEven(format, false, NarrowInteger(part), 0).bits);
    rest -= part;
  }
  return ExactSumText(type, terms);
}

std::string ExactSubtract(isa::DType type, std::uint64_t left,
                          std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(SignedValue(type, left) - SignedValue(type, right));
  }
  return ExactAdd(type, left, Negated(type, right));
}

std::string ExactMultiply(isa::DType type, std::uint64_t left,
                          std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(SignedValue(type, left) * SignedValue(type, right));
  }
  return ExactProductText(type, std::array{left, right});
}

std::string ExactMinimum(isa::DType type, std::uint64_t left,
                         std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(
        std::min(SignedValue(type, left), SignedValue(type, right)));
  }
  return ExactText(type, IeeeMinimum(FormatOf(type), left, right));
}

std::string ExactMaximum(isa::DType type, std::uint64_t left,
                         std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(
        std::max(SignedValue(type, left), SignedValue(type, right)));
  }
  return ExactText(type, IeeeMaximum(FormatOf(type), left, right));
}

std::string ExactAbsolute(isa::DType type, std::uint64_t bits) {
  if (!IsFloating(type)) {
    return std::to_string(std::abs(SignedValue(type, bits)));
  }
  return ExactText(type, IeeeAbsolute(FormatOf(type), bits));
}

std::string ExactAnd(isa::DType type, std::uint64_t left, std::uint64_t right) {
  return WordText(type, left & right);
}

std::string ExactOr(isa::DType type, std::uint64_t left, std::uint64_t right) {
  return WordText(type, left | right);
}

std::string ExactNot(isa::DType type, std::uint64_t bits) {
  return WordText(type, Not(type, bits, false).bits);
}

std::string ExactRelu(isa::DType type, std::uint64_t bits) {
  return ExactMaximum(type, 0, bits);
}

std::string ExactLeakyRelu(isa::DType type, std::uint64_t bits,
                           std::uint64_t slope) {
  return HasSign(type, bits) ? ExactMultiply(type, bits, slope)
                             : ExactRelu(type, bits);
}

std::string ExactAddRelu(isa::DType type, std::uint64_t left,
                         std::uint64_t right) {
  return Rectified(ExactAdd(type, left, right));
}

std::string ExactSubRelu(isa::DType type, std::uint64_t left,
                         std::uint64_t right) {
  return Rectified(ExactSubtract(type, left, right));
}

std::string ExactMultiplyAdd(isa::DType type, std::uint64_t left,
                             std::uint64_t right, std::uint64_t term) {
  if (IsFloating(type)) return ExactProductAndTerm(type, left, right, term);
  return NarrowInteger(IntegerValue(type, left) * IntegerValue(type, right) +
                       IntegerValue(type, term))
      .str();
}

std::string ExactMultiplyAddRelu(isa::DType type, std::uint64_t left,
                                 std::uint64_t right, std::uint64_t term) {
  return Rectified(ExactMultiplyAdd(type, left, right, term));
}

std::string ExactValue(isa::DType type, std::uint64_t bits) {
  if (type == isa::DType::kBfloat16) {  // the upper half of a float
    return ExactText(isa::DType::kFloat, bits << 16);
  }
  return IsFloating(type) ? ExactText(type, bits) : WordText(type, bits);
}

}  // namespace lanediff::oracle

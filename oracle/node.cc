#include "oracle/node.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "oracle/exact_text.h"
#include "oracle/format.h"
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

/// The finite `d` in units of 2^unit, where unit <= d.exponent.
std::int64_t InUnits(const Decoded& d, int unit) {
  const auto integer =
      static_cast<std::int64_t>(d.significand << (d.exponent - unit));
  return d.negative ? -integer : integer;
}

/// A sum of two terms, ±magnitude · 2^unit.
struct Sum {
  bool negative = false;
  std::uint64_t magnitude = 0;
  int unit = 0;
};

/// The exact sum of two finite terms or, where their exponents are so far apart
/// that it does not fit a word, a sum that rounds in every respect as it does.
///
/// Let the upper term be s·2^E and the lower one below 2^24·2^(E-33), which is
/// 2^(E-9), and not zero. s has its leading bit, for only the least exponent
/// has significands without it. So all representable values and all midpoints
/// near s·2^E are multiples of 2^(E-2), and s·2^E is itself one of them. The
/// exact sum lies between it and its neighbour among these multiples, and so
/// does s·2^E ± 2^(E-32) with the lower term's sign: both round to the same
/// value, both inexactly, and neither is a tie.
Sum ExactSum(const Decoded& a, const Decoded& b) {
  constexpr int kWidestGap = 32;  // 24 + 32 bits and a carry fit a word
  const bool a_is_upper = a.exponent >= b.exponent;
  const Decoded& upper = a_is_upper ? a : b;
  Decoded lower = a_is_upper ? b : a;
  if (upper.exponent - lower.exponent > kWidestGap) {
    lower.exponent = upper.exponent - kWidestGap;
    if (lower.significand != 0) lower.significand = 1;
  }
  const int unit = lower.exponent;
  const std::int64_t sum = InUnits(upper, unit) + InUnits(lower, unit);
  // ARITH-ZERO-SIGN: a zero sum is negative only if both terms are.
  return {.negative = sum == 0 ? a.negative && b.negative : sum < 0,
          .magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum),
          .unit = unit};
}

NodeResult IeeeAdd(Format format, const Decoded& a, const Decoded& b) {
  if (a.IsNan() || b.IsNan()) return {.bits = format.CanonicalNan()};
  if (a.IsInfinite() && b.IsInfinite() && a.negative != b.negative) {
    return {.bits = format.CanonicalNan()};
  }
  if (a.IsInfinite()) return {.bits = format.Infinity(a.negative)};
  if (b.IsInfinite()) return {.bits = format.Infinity(b.negative)};

  const Sum sum = ExactSum(a, b);
  const Rounded r =
      RoundToNearestEven(format, sum.negative, sum.magnitude, sum.unit);
  return {.bits = r.bits, .rounded = r.rounded, .tie = r.tie};
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

  // At most 24 · 24 bits.
  const std::uint64_t product = a.significand * b.significand;
  const Rounded r =
      RoundToNearestEven(format, negative, product, a.exponent + b.exponent);
  return {.bits = r.bits, .rounded = r.rounded, .tie = r.tie};
}

/// The value of an int16 or int32 pattern.
std::int64_t SignedValue(isa::DType type, std::uint64_t bits) {
  return type == isa::DType::kInt16 ? static_cast<std::int16_t>(bits)
                                    : static_cast<std::int32_t>(bits);
}

bool IsFloating(isa::DType type) {
  return type == isa::DType::kHalf || type == isa::DType::kFloat;
}

/// Whether the finite or infinite `a` is below `b`; −0 is below +0.
bool IsBelow(const Decoded& a, const Decoded& b) {
  if (a.negative != b.negative) return a.negative;
  const Decoded& smaller = a.negative ? b : a;  // in magnitude, if below
  const Decoded& larger = a.negative ? a : b;
  if (smaller.IsInfinite()) return false;
  if (larger.IsInfinite()) return true;
  // Above the least exponent significands have their leading bit, so that the
  // exponent decides wherever it differs.
  if (smaller.exponent != larger.exponent) {
    return smaller.exponent < larger.exponent;
  }
  return smaller.significand < larger.significand;
}

std::uint64_t IeeeMinimum(Format format, std::uint64_t left,
                          std::uint64_t right) {
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  if (a.IsNan() || b.IsNan()) return format.CanonicalNan();
  return IsBelow(b, a) ? right : left;
}

}  // namespace

NodeResult Add(isa::DType type, std::uint64_t left, std::uint64_t right,
               bool saturation) {
  const Format format = FormatOf(type);
  return Saturate(type,
                  IeeeAdd(format, Decode(format, left), Decode(format, right)),
                  saturation);
}

NodeResult Multiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                    bool saturation) {
  const Format format = FormatOf(type);
  return Saturate(
      type, IeeeMultiply(format, Decode(format, left), Decode(format, right)),
      saturation);
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

NodeResult Write(isa::DType type, std::uint64_t bits, bool saturation) {
  return Saturate(type, {.bits = bits}, saturation);
}

std::string ExactAdd(isa::DType type, std::uint64_t left, std::uint64_t right) {
  return ExactSumText(type, std::array{left, right});
}

std::string ExactMinimum(isa::DType type, std::uint64_t left,
                         std::uint64_t right) {
  if (!IsFloating(type)) {
    return std::to_string(
        std::min(SignedValue(type, left), SignedValue(type, right)));
  }
  return ExactSumText(type,
                      std::array{IeeeMinimum(FormatOf(type), left, right)});
}

std::string ExactMultiply(isa::DType type, std::uint64_t left,
                          std::uint64_t right) {
  return ExactProductText(type, std::array{left, right});
}

}  // namespace lanediff::oracle

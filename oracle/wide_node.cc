#include "oracle/wide_node.h"

#include <algorithm>
#include <cstdint>

#include "oracle/format.h"
#include "oracle/wide.h"
#include "oracle/wide_rounder.h"

namespace lanediff::oracle {
namespace {

/// `d` as an integer in units of 2^unit, where unit <= d.exponent.
Wide InUnits(const Decoded& d, int unit) {
  Wide integer = d.significand;
  integer <<= static_cast<unsigned>(d.exponent - unit);
  if (d.negative) integer = -integer;
  return integer;
}

NodeResult IeeeAdd(Format format, const Decoded& a, const Decoded& b) {
  if (a.IsNan() || b.IsNan()) return {.bits = format.CanonicalNan()};
  if (a.IsInfinite() && b.IsInfinite() && a.negative != b.negative) {
    return {.bits = format.CanonicalNan()};
  }
  if (a.IsInfinite()) return {.bits = format.Infinity(a.negative)};
  if (b.IsInfinite()) return {.bits = format.Infinity(b.negative)};

  const int unit = std::min(a.exponent, b.exponent);
  const Wide sum = InUnits(a, unit) + InUnits(b, unit);
  // ARITH-ZERO-SIGN: a zero sum is negative only if both terms are.
  const bool negative = sum.is_zero() ? a.negative && b.negative : sum < 0;
  const Rounded r = RoundWide(format, negative, abs(sum), unit);
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

  const Wide product = Wide(a.significand) * b.significand;
  const Rounded r =
      RoundWide(format, negative, product, a.exponent + b.exponent);
  return {.bits = r.bits, .rounded = r.rounded, .tie = r.tie};
}

/// Whether the finite or infinite `a` is below `b`; −0 is below +0.
bool IsBelow(const Decoded& a, const Decoded& b) {
  if (a.IsInfinite() || b.IsInfinite()) {
    const auto rank = [](const Decoded& d) {
      return d.IsInfinite() ? (d.negative ? -1 : 1) : 0;
    };
    return rank(a) < rank(b);
  }
  const int unit = std::min(a.exponent, b.exponent);
  const Wide x = InUnits(a, unit);
  const Wide y = InUnits(b, unit);
  if (x.is_zero() && y.is_zero()) return a.negative && !b.negative;
  return x < y;
}

}  // namespace

NodeResult WideAdd(isa::DType type, std::uint64_t left, std::uint64_t right) {
  const Format format = FormatOf(type);
  return IeeeAdd(format, Decode(format, left), Decode(format, right));
}

NodeResult WideMultiply(isa::DType type, std::uint64_t left,
                        std::uint64_t right) {
  const Format format = FormatOf(type);
  return IeeeMultiply(format, Decode(format, left), Decode(format, right));
}

NodeResult WideMinimum(isa::DType type, std::uint64_t left,
                       std::uint64_t right) {
  const Format format = FormatOf(type);
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  if (a.IsNan() || b.IsNan()) return {.bits = format.CanonicalNan()};
  return {.bits = IsBelow(b, a) ? right : left};
}

}  // namespace lanediff::oracle

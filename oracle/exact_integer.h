#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "oracle/format.h"

/// The integers in which nodes are computed, wide enough for the exact value:
/// nothing is cut off before the one rounding. They never allocate. Boost is
/// slow to compile: for the few files that compute nodes alone.
namespace lanediff::oracle {

/// An integer of at least `bits` bits beside its sign.
template <unsigned bits>
using FixedInteger = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<
        bits, bits, boost::multiprecision::signed_magnitude,
        boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

/// Boost keeps up to 127 bits and a sign in one word of the machine or two.
inline constexpr int kNarrowBits = 127;
using NarrowInteger = FixedInteger<kNarrowBits>;

inline constexpr int kWideBits = 640;
using WideInteger = FixedInteger<kWideBits>;

/// The bits of a sum of two finite terms, in units of the lower one's last
/// place: the upper one stands `gap` places above it, and there is a carry.
constexpr int SumBits(Format format, int gap) {
  return format.precision + gap + 1;
}
/// How far the exponents of two finite values can be apart: from the least
/// one, of subnormals too, to the one below infinity's.
constexpr int WidestGap(Format format) { return format.TopExponent() - 2; }
/// The bits of a product of two significands.
constexpr int ProductBits(Format format) { return 2 * format.precision; }

static_assert(SumBits(kHalfFormat, WidestGap(kHalfFormat)) <= kNarrowBits);
static_assert(SumBits(kFloatFormat, WidestGap(kFloatFormat)) <= kWideBits);
static_assert(ProductBits(kFloatFormat) <= kNarrowBits);

/// The finite `d` in units of 2^unit, where unit <= d.exponent.
template <class Integer>
Integer InUnits(const Decoded& d, int unit) {
  Integer integer = d.significand;
  integer <<= static_cast<unsigned>(d.exponent - unit);
  if (d.negative) integer.backend().negate();
  return integer;
}

}  // namespace lanediff::oracle

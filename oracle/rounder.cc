#include "oracle/rounder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

namespace lanediff::oracle {
namespace {

/// significand · 2^exponent, where the significand has at most `precision` bits
/// and the exponent is the least one possible, as a bit pattern.
std::uint64_t Encode(Format format, bool negative, std::uint64_t significand,
                     int exponent) {
  const std::uint64_t hidden = std::uint64_t{1} << format.StoredFraction();
  if (significand < hidden) {  // zero and subnormals: stored exponent 0
    assert(exponent == format.QuantumExponent());
    return format.Sign(negative) | significand;
  }
  const int stored = exponent - format.QuantumExponent() + 1;
  if (stored >= format.TopExponent()) return format.Infinity(negative);
  return format.Sign(negative) |
         static_cast<std::uint64_t>(stored) << format.StoredFraction() |
         (significand - hidden);
}

}  // namespace

Rounded RoundToNearestEven(Format format, bool negative,
                           std::uint64_t magnitude, int exponent) {
  assert(magnitude >> 63 == 0);
  if (magnitude == 0) return {.bits = format.Sign(negative)};

  // The exponent of the result's last place: that of a `precision`-bit
  // significand, but never finer than the least subnormal.
  const int leading =
      static_cast<int>(std::bit_width(magnitude)) - 1 + exponent;
  int last_place =
      std::max(leading - format.StoredFraction(), format.QuantumExponent());

  const int drop = last_place - exponent;  // low bits that don't fit
  if (drop <= 0) {
    const std::uint64_t bits =
        Encode(format, negative, magnitude << -drop, last_place);
    return {.bits = bits, .rounded = bits == format.Infinity(negative)};
  }

  if (drop > 63) {  // the magnitude is less than half of 2^drop
    return {.bits = format.Sign(negative), .rounded = true};
  }

  std::uint64_t significand = magnitude >> drop;
  const int lowest = std::countr_zero(magnitude);
  const bool inexact = lowest < drop;
  const bool at_least_half = (magnitude >> (drop - 1) & 1) != 0;
  const bool tie = at_least_half && lowest == drop - 1;

  const bool odd = (significand & 1) != 0;
  if (at_least_half && (!tie || odd)) ++significand;
  if (significand >> format.precision != 0) {  // 11…1 became 100…0
    significand >>= 1;
    ++last_place;
  }
  const std::uint64_t bits = Encode(format, negative, significand, last_place);
  // Above the power of two that infinity stands for there are no neighbours.
  const bool has_neighbours = leading <= format.Bias();
  return {.bits = bits,
          .rounded = inexact || bits == format.Infinity(negative),
          .tie = tie && has_neighbours};
}

}  // namespace lanediff::oracle

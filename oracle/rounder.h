#pragma once

#include <algorithm>
#include <cstdint>

#include "oracle/format.h"

/// The one rounding of a node (ARITH-ROUND), from exact integers, without any
/// floating-point arithmetic.
namespace lanediff::oracle {

/// A rounded value and how it came about.
struct Rounded {
  std::uint64_t bits = 0;
  bool rounded = false;  ///< the exact value is not representable
  bool tie = false;      ///< it lay exactly between two neighbours

  bool operator==(const Rounded&) const = default;
};

/// ±magnitude · 2^exponent to nearest even in `format`. Subnormals are kept;
/// what rounds beyond the greatest finite value becomes infinity. Infinity
/// stands for the power of two above the greatest finite value: halfway between
/// the two is a tie, beyond there is none. `Integer` is any of Boost's, and
/// `magnitude` at least 0.
template <class Integer>
Rounded RoundToNearestEven(Format format, bool negative,
                           const Integer& magnitude, int exponent) {
  if (magnitude.is_zero()) return {.bits = format.Sign(negative)};

  // The exponent of the result's last place: that of a `precision`-bit
  // significand, but never finer than the least subnormal.
  const int highest = static_cast<int>(msb(magnitude));
  const int leading = highest + exponent;
  int last_place =
      std::max(leading - format.StoredFraction(), format.QuantumExponent());

  const int drop = last_place - exponent;  // low bits that don't fit
  if (drop <= 0) {
    const auto significand = static_cast<std::uint64_t>(magnitude) << -drop;
    const std::uint64_t bits =
        Encode(format, negative, significand, last_place);
    return {.bits = bits, .rounded = bits == format.Infinity(negative)};
  }
  if (highest < drop - 1) {  // less than half of the last place
    return {.bits = format.Sign(negative), .rounded = true};
  }

  const auto dropped = static_cast<unsigned>(drop);
  const auto place_of_half = dropped - 1;
  auto significand = static_cast<std::uint64_t>(magnitude >> dropped);
  const unsigned lowest = static_cast<unsigned>(lsb(magnitude));
  const bool inexact = lowest < dropped;
  const bool at_least_half = bit_test(magnitude, place_of_half);
  const bool tie = at_least_half && lowest == place_of_half;

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

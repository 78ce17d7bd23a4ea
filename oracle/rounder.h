#pragma once

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
/// the two is a tie, beyond there is none. `magnitude` must be below 2^63.
Rounded RoundToNearestEven(Format format, bool negative,
                           std::uint64_t magnitude, int exponent);

}  // namespace lanediff::oracle

#pragma once

#include <cstdint>

namespace lanediff::make {

/// a + b, modulo 2^64: cases hold numbers at either end of 64 bits on purpose,
/// and what is added to those must not be undefined.
constexpr std::int64_t WrappingSum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   static_cast<std::uint64_t>(b));
}

}  // namespace lanediff::make

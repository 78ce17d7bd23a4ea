#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/half.h"

/// What becomes of one operation on two elements. Halves and floats are given
/// as bits; saturation mode is an argument where it counts.
namespace lanediff::emulator {

inline std::uint16_t SaturatedHalf(std::uint16_t half, bool saturation) {
  return saturation ? SaturateHalf(half) : half;
}

/// `Operator` is std::plus<>, std::minus<> or std::multiplies<>.
///
/// The 24 bits of a float hold twice the 11 of a half and two more, so that
/// rounding to float first does no harm: sums and differences round to the same
/// half, and products of two halves need no more than 22 bits.
template <class Operator>
std::uint16_t HalfOf(std::uint16_t a, std::uint16_t b, bool saturation) {
  const float result = Operator{}(HalfToFloat(a), HalfToFloat(b));
  return SaturatedHalf(FloatToHalf(result), saturation);
}

/// IEEE 754 in either mode.
template <class Operator>
std::uint32_t FloatOf(std::uint32_t a, std::uint32_t b, bool) {
  const float result =
      Operator{}(std::bit_cast<float>(a), std::bit_cast<float>(b));
  return std::isnan(result) ? 0x7fc00000u
                            : std::bit_cast<std::uint32_t>(result);
}

/// `Int` has 16 or 32 bits: 64 of the same sign hold the exact results, but for
/// differences of unsigned ones, which no call has. The nearest value in
/// saturation mode, the low bits with the mode off.
template <class Operator, class Int>
Int IntegerOf(Int a, Int b, bool saturation) {
  using Limits = std::numeric_limits<Int>;
  using Exact =
      std::conditional_t<std::is_signed_v<Int>, std::int64_t, std::uint64_t>;
  const Exact exact = Operator{}(Exact{a}, Exact{b});
  if (!saturation) return static_cast<Int>(exact);
  return static_cast<Int>(
      std::clamp<Exact>(exact, Limits::min(), Limits::max()));
}

}  // namespace lanediff::emulator

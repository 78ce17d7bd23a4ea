#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernel/carried/numbers.h"

/// RoundMode, as 精度转换规则 and Cast have it.
namespace lanediff::kernel::carried {

enum class Rounding : std::uint8_t {
  kNone,   ///< as kRint where something is lost
  kRint,   ///< to nearest, a tie to even
  kFloor,  ///< down
  kCeil,   ///< up
  kRound,  ///< to nearest, a tie away from zero
  kTrunc,  ///< towards zero
  kOdd,    ///< what is inexact to the odd neighbour (von Neumann)
};

/// Whether a magnitude of `whole` steps and a rest, in (0, 1) steps compared
/// with a half by `half` (−1, 0, 1), goes to the next step.
inline bool GoesUp(Rounding mode, bool negative, bool whole_is_odd, int half) {
  switch (mode) {
    case Rounding::kNone:
    case Rounding::kRint:
      return half > 0 || (half == 0 && whole_is_odd);
    case Rounding::kFloor:
      return negative;
    case Rounding::kCeil:
      return !negative;
    case Rounding::kRound:
      return half >= 0;
    case Rounding::kTrunc:
      return false;
    case Rounding::kOdd:
      return !whole_is_odd;
  }
  return false;
}

/// To an integer; infinite and NaN stay.
template <Rounding kMode>
float ToWhole(float value) {
  if constexpr (kMode == Rounding::kFloor) return std::floor(value);
  if constexpr (kMode == Rounding::kCeil) return std::ceil(value);
  if constexpr (kMode == Rounding::kRound) return std::round(value);
  if constexpr (kMode == Rounding::kTrunc) return std::trunc(value);
  return std::nearbyint(value);  // to nearest even, the mode of every process
}

/// To the limits of T; a NaN is 0 (边界值汇总 · 表32).
template <class T>
T ToInteger(float whole) {
  // Both are powers of two or small: exact.
  constexpr float kLow = static_cast<float>(std::numeric_limits<T>::min());
  constexpr float kBeyond =
      static_cast<float>(std::numeric_limits<T>::max() / 2 + 1) * 2;
  if (whole != whole) return 0;
  if (whole < kLow) return std::numeric_limits<T>::min();
  if (whole >= kBeyond) return std::numeric_limits<T>::max();
  return static_cast<T>(whole);
}

/// An integer with so many binary digits, which every T here can hold.
template <int kDigits>
double ToDigits(std::int64_t value, Rounding mode) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? -static_cast<std::uint64_t>(value)
                                           : static_cast<std::uint64_t>(value);
  const int lost = static_cast<int>(std::bit_width(magnitude)) - kDigits;
  std::uint64_t whole = magnitude;
  if (lost > 0) {
    whole = magnitude >> lost;
    const std::uint64_t rest = magnitude - (whole << lost);
    const std::uint64_t half = std::uint64_t{1} << (lost - 1);
    if (rest != 0 && GoesUp(mode, negative, (whole & 1) != 0,
                            rest < half ? -1 : rest > half)) {
      ++whole;
    }
  }
  const double rounded =
      std::ldexp(static_cast<double>(whole), lost > 0 ? lost : 0);
  return negative ? -rounded : rounded;
}

/// Bits of a 16-bit floating type with kDigits binary digits (one of them
/// hidden) and smallest exponent kLeast, from a number that is not a NaN.
/// Beyond its largest: infinite, or the largest where the mode is towards zero.
template <int kDigits, int kLeast>
std::uint16_t ToBits(double value, Rounding mode) {
  constexpr std::uint32_t kInf = (0x7fffu >> (kDigits - 1)) << (kDigits - 1);
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  const std::uint32_t sign = negative ? 0x8000u : 0u;
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | kInf);
  const int exponent = std::max(std::ilogb(magnitude), kLeast);
  const double steps = std::ldexp(magnitude, kDigits - 1 - exponent);
  if (exponent > 1 - kLeast) {
    const bool up = GoesUp(mode, negative, true, 1);
    return static_cast<std::uint16_t>(sign | (up ? kInf : kInf - 1));
  }
  const double whole = std::floor(steps);
  const double rest = steps - whole;
  auto number = static_cast<std::uint32_t>(whole);
  if (rest != 0 &&
      GoesUp(mode, negative, (number & 1) != 0, rest < 0.5 ? -1 : rest > 0.5)) {
    ++number;
  }
  const auto above = static_cast<std::uint32_t>(exponent - kLeast);
  return static_cast<std::uint16_t>(sign | ((above << (kDigits - 1)) + number));
}

inline Half RoundToHalf(double value, Rounding mode) {
  if (value != value) return {kHalfNan};
  return {ToBits<11, -14>(value, mode)};
}
inline Bfloat16 RoundToBfloat16(double value, Rounding mode) {
  if (value != value) return {kBfloatNan};
  return {ToBits<8, -126>(value, mode)};
}

}  // namespace lanediff::kernel::carried

#pragma once

#include <bit>
#include <cstdint>

/// Conversions between half bits and float in plain scalar code, for the
/// yardsticks: what they have in place of the emulator's.
namespace lanediff::bench {

/// Exact; a NaN keeps its sign and payload.
inline float WidenHalf(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 31u;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 31) {
    return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  }
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// To nearest, ties to even; what a half can't hold becomes ±65504, NaN +0.
inline std::uint16_t NarrowSaturated(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x477fe000u) {  // 65504 and above
    return magnitude > 0x7f800000u ? 0
                                   : static_cast<std::uint16_t>(sign | 0x7bffu);
  }
  if (magnitude >= 0x38800000u) {  // a normal half
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
  // In a float from 0.5 to 1 the last place is 2^-24, a half's smallest step.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
  return static_cast<std::uint16_t>(
      sign | (std::bit_cast<std::uint32_t>(shifted) & 0x7fffffu));
}

}  // namespace lanediff::bench

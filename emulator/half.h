#pragma once

#include <bit>
#include <cstdint>

/// Conversions between half bits and float by integer and float tricks, without
/// table or branch on the common path.
namespace lanediff::emulator {

/// Exact. NaNs keep sign and payload, moved up.
inline float HalfToFloat(std::uint16_t h) {
  const std::uint32_t sign = std::uint32_t{h & 0x8000u} << 16;
  const std::uint32_t magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00u) {
    return std::bit_cast<float>(sign | 0x7f800000u |
                                (magnitude & 0x3ffu) << 13);
  }
  // The half's bits, read as a float, are 2^112 times too small, also where the
  // half is subnormal.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}

/// To nearest, ties to even; too large becomes infinity, NaN becomes 0x7e00.
inline std::uint16_t FloatToHalf(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // 65520 and above
  if (magnitude < 0x38800000u) {                        // below 2^-14
    // Adding 0.5 leaves units of 2^-24, the half's subnormal step, at the end.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(
        sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  magnitude += 0xc8000fffu + ((magnitude >> 13) & 1u);  // rebias, round to even
  return static_cast<std::uint16_t>(sign | magnitude >> 13);
}

inline constexpr std::uint16_t kHalfMax = 0x7bffu;  // 65504

/// Saturation mode: ±inf becomes ±65504 and NaN +0.
inline std::uint16_t SaturateHalf(std::uint16_t h) {
  const std::uint16_t magnitude = h & 0x7fffu;
  if (magnitude < 0x7c00u) return h;
  if (magnitude > 0x7c00u) return 0;
  return static_cast<std::uint16_t>((h & 0x8000u) | kHalfMax);
}

}  // namespace lanediff::emulator

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/half.h"

/// Arithmetic as other machines do it.
namespace lanediff::mutants {

inline float FloatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t BitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

inline bool IsNan(std::uint16_t half) { return (half & 0x7fffu) > 0x7c00u; }
inline bool IsNan(std::uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

/// Zero with the same sign where `bits` is a subnormal float.
inline std::uint32_t FlushedFloat(std::uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

/// Zero with the same sign where `bits` is a subnormal half.
inline std::uint16_t FlushedHalf(std::uint16_t bits) {
  return static_cast<std::uint16_t>((bits & 0x7c00u) == 0 ? bits & 0x8000u
                                                          : bits);
}

/// To half toward zero.
inline std::uint16_t TruncatedToHalf(float value) {
  const std::uint16_t nearest = emulator::FloatToHalf(value);
  const float back = emulator::HalfToFloat(nearest);
  // One step back where rounding went away from zero; 65504 follows infinity.
  const bool away = std::isfinite(value) && std::fabs(back) > std::fabs(value);
  return static_cast<std::uint16_t>(nearest - (away ? 1 : 0));
}

/// To the nearest half, ties away from zero.
inline std::uint16_t HalfUp(float value) {
  const std::uint16_t low = TruncatedToHalf(value);
  if (!std::isfinite(value) || emulator::HalfToFloat(low) == value) return low;
  const auto high = static_cast<std::uint16_t>(low + 1);
  if ((high & 0x7fffu) == 0x7c00u) return emulator::FloatToHalf(value);
  const float below = std::fabs(value - emulator::HalfToFloat(low));
  const float above = std::fabs(emulator::HalfToFloat(high) - value);
  return above <= below ? high : low;
}

inline std::uint16_t Saturated(std::uint16_t half, bool saturation) {
  return saturation ? emulator::SaturateHalf(half) : half;
}

/// A NaN as arithmetic leaves it, every other value unchanged.
inline std::uint32_t Canonical(float value) {
  return std::isnan(value) ? 0x7fc00000u : BitsOf(value);
}

}  // namespace lanediff::mutants

#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "lanediff/kernel_abi.h"

/// Elements as unaudited calls compute with them. Half and bfloat16 are
/// computed in float and rounded once, which is exact for + - * /: 24 bits are
/// more than 2 · 11 + 2.
namespace lanediff::kernel::carried {

struct Half {
  std::uint16_t bits = 0;
};
struct Bfloat16 {
  std::uint16_t bits = 0;
};

inline constexpr std::uint16_t kHalfNan = 0x7e00;
inline constexpr std::uint16_t kHalfInf = 0x7c00;
inline constexpr std::uint16_t kHalfMax = 0x7bff;
inline constexpr std::uint16_t kBfloatNan = 0x7fc0;
inline constexpr std::uint16_t kBfloatInf = 0x7f80;
inline constexpr std::uint16_t kBfloatMax = 0x7f7f;

/// Exact; a NaN keeps sign and payload.
inline float Widen(Half value) {
  const std::uint32_t magnitude = value.bits & 0x7fffu;
  // The exponent of half, moved to float's place and scaled to its bias.
  float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(scaled);
  bits = magnitude >= kHalfInf ? (magnitude << 13) | 0x7f800000u : bits;
  return std::bit_cast<float>(bits | (value.bits & 0x8000u) << 16);
}
inline float Widen(Bfloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
}
inline float Widen(float value) { return value; }
inline std::int32_t Widen(std::int8_t value) { return value; }
inline std::int32_t Widen(std::uint8_t value) { return value; }
inline std::int32_t Widen(std::int16_t value) { return value; }
inline std::int32_t Widen(std::uint16_t value) { return value; }
inline std::int64_t Widen(std::int32_t value) { return value; }
inline std::int64_t Widen(std::uint32_t value) { return value; }
inline std::int64_t Widen(std::int64_t value) { return value; }

/// The half or float that stands there.
inline float FloatAt(bool half, const std::uint8_t* at) {
  Half bits;
  float value;
  std::memcpy(&bits, at, sizeof bits);
  if (half) return Widen(bits);
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// To nearest even; too large is infinite, a NaN the canonical one.
inline Half ToHalf(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Below 2⁻¹⁴ an addition of 0.5 rounds to half's smallest step.
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      0x3f000000u;
  const std::uint32_t normal =
      (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  std::uint32_t half = magnitude < 0x38800000u ? small : normal;
  half = magnitude >= 0x47800000u ? kHalfInf : half;
  half |= bits >> 16 & 0x8000u;
  half = magnitude > 0x7f800000u ? kHalfNan : half;
  return {static_cast<std::uint16_t>(half)};
}

inline Bfloat16 ToBfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return {nan ? kBfloatNan : static_cast<std::uint16_t>(rounded)};
}

/// Saturation mode (STATE-SATURATION): ±inf is the largest value, NaN +0.
inline Half Saturated(Half value) {
  const std::uint16_t magnitude = value.bits & 0x7fff;
  std::uint16_t bits = magnitude == kHalfInf
                           ? static_cast<std::uint16_t>(value.bits - 1)
                           : value.bits;
  bits = magnitude > kHalfInf ? std::uint16_t{0} : bits;
  return {bits};
}
inline Bfloat16 Saturated(Bfloat16 value) {
  const std::uint16_t magnitude = value.bits & 0x7fff;
  if (magnitude > kBfloatInf) return {0};
  if (magnitude == kBfloatInf) {
    return {static_cast<std::uint16_t>(value.bits - 1)};
  }
  return value;
}

/// The result of one node, in the type of the element: floating types rounded
/// to nearest even, every NaN the canonical one; integers that don't fit are
/// the nearest limit in saturation mode, else their low bits.
template <class T, bool kSaturate, class Wide>
inline T Narrow(Wide value) {
  if constexpr (std::is_same_v<T, Half>) {
    const Half half = ToHalf(value);
    return kSaturate ? Saturated(half) : half;
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    const Bfloat16 bfloat = ToBfloat16(value);
    return kSaturate ? Saturated(bfloat) : bfloat;
  } else if constexpr (std::is_same_v<T, float>) {
    return value != value ? std::bit_cast<float>(0x7fc00000u)
                          : static_cast<float>(value);
  } else {
    if constexpr (kSaturate) {
      constexpr Wide kLow = std::numeric_limits<T>::min();
      constexpr Wide kHigh = std::numeric_limits<T>::max();
      value = value < kLow ? kLow : value;
      value = value > kHigh ? kHigh : value;
    }
    return static_cast<T>(value);
  }
}

/// A node whose value goes on in the same call.
template <class T, bool kSaturate, class Wide>
inline auto Node(Wide value) {
  return Widen(Narrow<T, kSaturate>(value));
}

template <class T>
inline constexpr std::uint8_t kDTypeOf = LANEDIFF_NO_DTYPE;
template <>
inline constexpr std::uint8_t kDTypeOf<std::int8_t> = LANEDIFF_INT8;
template <>
inline constexpr std::uint8_t kDTypeOf<std::uint8_t> = LANEDIFF_UINT8;
template <>
inline constexpr std::uint8_t kDTypeOf<std::int16_t> = LANEDIFF_INT16;
template <>
inline constexpr std::uint8_t kDTypeOf<std::uint16_t> = LANEDIFF_UINT16;
template <>
inline constexpr std::uint8_t kDTypeOf<std::int32_t> = LANEDIFF_INT32;
template <>
inline constexpr std::uint8_t kDTypeOf<std::uint32_t> = LANEDIFF_UINT32;
template <>
inline constexpr std::uint8_t kDTypeOf<std::int64_t> = LANEDIFF_INT64;
template <>
inline constexpr std::uint8_t kDTypeOf<std::uint64_t> = LANEDIFF_UINT64;
template <>
inline constexpr std::uint8_t kDTypeOf<Half> = LANEDIFF_HALF;
template <>
inline constexpr std::uint8_t kDTypeOf<Bfloat16> = LANEDIFF_BFLOAT16;
template <>
inline constexpr std::uint8_t kDTypeOf<float> = LANEDIFF_FLOAT;

/// The element whose bits are the low end of `bits`.
template <class T>
inline T FromBits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
    return {static_cast<std::uint16_t>(bits)};
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else {
    return static_cast<T>(bits);
  }
}

}  // namespace lanediff::kernel::carried

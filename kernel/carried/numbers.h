#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

#include "emulator/half.h"
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
inline constexpr std::uint16_t kBfloatNan = 0x7fc0;
inline constexpr std::uint16_t kBfloatInf = 0x7f80;

/// Exact; a NaN keeps sign and payload.
inline float Widen(Half value) { return emulator::HalfToFloat(value.bits); }
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
inline Half ToHalf(float value) { return {emulator::FloatToHalf(value)}; }
inline Bfloat16 ToBfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return {nan ? kBfloatNan : static_cast<std::uint16_t>(rounded)};
}

/// Saturation mode (STATE-SATURATION): ±inf is the largest value, NaN +0.
inline Half Saturated(Half value) {
  return {emulator::SaturateHalf(value.bits)};
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

/// The lanediff_dtype of an element, by its place among them.
template <class T>
inline constexpr std::uint8_t kDTypeOf =
    []<class... One>(std::tuple<One...>*) {
      constexpr bool kIs[] = {std::is_same_v<T, One>...};
      return static_cast<std::uint8_t>(std::ranges::find(kIs, true) - kIs);
    }(static_cast<std::tuple<
          std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
          std::uint32_t, std::int64_t, std::uint64_t, Half, Bfloat16, float>*>(
        nullptr));
static_assert(kDTypeOf<float> == LANEDIFF_FLOAT);

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

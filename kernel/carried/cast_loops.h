#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernel/carried/flow.h"
#include "kernel/carried/numbers.h"
#include "kernel/carried/rounding.h"

/// Loops of Cast: one for each pair of types, mode and saturation.
namespace lanediff::kernel::carried {

// -------------------------------------------------------------

template <class D, Rounding kMode, bool kSaturate, class S>
D Converted(S value) {
  const auto saturated = [](auto result) {
    return kSaturate ? Saturated(result) : result;
  };
  if constexpr (std::is_same_v<S, std::int64_t> ||
                std::is_same_v<S, std::int32_t> ||
                std::is_same_v<S, std::int16_t>) {
    if constexpr (std::is_same_v<D, float>) {
      return static_cast<float>(ToDigits<24>(value, kMode));
    } else if constexpr (std::is_same_v<D, Half>) {
      return saturated(
          RoundToHalf(ToDigits<11>(value, kMode), Rounding::kRint));
    } else {  // to another integer: what doesn't fit is the limit
      return Narrow<D, true>(static_cast<std::int64_t>(value));
    }
  } else if constexpr (std::is_same_v<D, Half>) {
    if constexpr (kMode == Rounding::kNone || kMode == Rounding::kRint) {
      return saturated(ToHalf(static_cast<float>(Widen(value))));
    } else {
      return saturated(RoundToHalf(Widen(value), kMode));
    }
  } else if constexpr (std::is_same_v<D, Bfloat16>) {
    return saturated(RoundToBfloat16(Widen(value), kMode));
  } else if constexpr (std::is_same_v<D, float>) {
    if constexpr (std::is_same_v<S, float>) {
      // −0 becomes +0 (表32, its note).
      return Narrow<float, false>(ToWhole<kMode>(value) + 0.0f);
    } else {
      return Narrow<float, false>(static_cast<float>(Widen(value)));
    }
  } else {
    return ToInteger<D>(ToWhole<kMode>(Widen(value)));
  }
}

template <class D, class S, Rounding kMode, bool kSaturate>
void CastLoop(const Slice& slice) {
  const S* const in = static_cast<const S*>(slice.in[0]);
  D* const __restrict out = static_cast<D*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    out[i] = Converted<D, kMode, kSaturate>(in[i]);
  }
}

/// Two in a byte, the first one in its low half.
inline void FromInt4(const Slice& slice) {
  const auto* const in = static_cast<const std::uint8_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const int nibble = in[i / 2] >> (i % 2 * 4) & 0xf;
    out[i] = ToHalf(static_cast<float>(nibble < 8 ? nibble : nibble - 16));
  }
}
template <Rounding kMode>
void ToInt4(const Slice& slice) {
  const auto* const in = static_cast<const Half*>(slice.in[0]);
  auto* const out = static_cast<std::uint8_t*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const int whole = ToInteger<std::int8_t>(ToWhole<kMode>(Widen(in[i])));
    const auto nibble = static_cast<std::uint8_t>(
        static_cast<unsigned>(std::clamp(whole, -8, 7)) & 0xfu);
    out[i / 2] = i % 2 == 0
                     ? nibble
                     : static_cast<std::uint8_t>(out[i / 2] | nibble << 4);
  }
}

/// int32_t to half: times the scale of SetDeqScale; the rounding mode has no
/// effect (Cast · 约束说明).
template <bool kSaturate>
void Dequantize(const Slice& slice) {
  const auto* const in = static_cast<const std::int32_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  const double scale = Widen(FromBits<Half>(slice.scalar));
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const Half half = RoundToHalf(in[i] * scale, Rounding::kRint);
    out[i] = kSaturate ? Saturated(half) : half;
  }
}

}  // namespace lanediff::kernel::carried

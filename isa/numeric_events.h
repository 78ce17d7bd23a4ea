#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// What may become of a value in an arithmetic node; the last two concern
/// integers, all others half and float. "Result" is what the node gives, after
/// saturation. A difference counts as the sum with the second input's negative.
/// One node may be several events. A new event is added at the end.
enum class NumericEvent : std::uint8_t {
  kRounded,        ///< the exact value is not representable
  kTie,            ///< rounded from exactly between two neighbours
  kSaturatedHigh,  ///< kept at +65504 by saturation mode
  kSaturatedLow,   ///< kept at -65504 by saturation mode
  kNanSaturated,   ///< a NaN made +0 by saturation mode
  kOverflowed,     ///< finite inputs, infinite result
  kNanMade,        ///< no NaN among the inputs, the result is one
  kNanSwallowed,   ///< a NaN among the inputs, the result is none
  kSubnormal,      ///< the result is subnormal and not zero
  kMinusZero,      ///< the result is -0
  kInfinityInput,  ///< an input is infinite
  kCancellation,   ///< a sum of nonzero inputs of opposite sign is zero
  kMinusZeroAgainstPlusZero,  ///< a sum, minimum or maximum of +0 and -0
  kIntegerSaturated,          ///< kept at the type's least or greatest integer
  kIntegerWrapped,  ///< the low bits of an integer that does not fit the type
};

template <>
struct Words<NumericEvent> {
  static constexpr std::array<std::string_view, 15> kSpelling = {
      "rounded",
      "tie",
      "saturated-high",
      "saturated-low",
      "nan-saturated",
      "overflowed",
      "nan-made",
      "nan-swallowed",
      "subnormal",
      "minus-zero",
      "infinity-input",
      "cancellation",
      "minus-zero-against-plus-zero",
      "integer-saturated",
      "integer-wrapped"};
};

/// How often each event happened.
struct NumericEvents {
  std::array<std::uint64_t, kCount<NumericEvent>> counts{};

  std::uint64_t operator[](NumericEvent event) const {
    return counts[static_cast<std::size_t>(event)];
  }
  std::uint64_t& operator[](NumericEvent event) {
    return counts[static_cast<std::size_t>(event)];
  }
  bool operator==(const NumericEvents&) const = default;
};

}  // namespace lanediff::isa

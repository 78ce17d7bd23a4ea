#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "generators/random/data.h"
#include "isa/vocabulary.h"

/// Elements by intent: pure functions of a word of random bits, the region's
/// key and the element's index. Both sides of a pair of two sources are made
/// alone, but from one key: what they are to give together is known to either.
namespace lanediff::make {

/// Fields of a floating type.
struct FloatLayout {
  int fraction_bits;
  int exponent_bits;

  constexpr std::uint64_t ones() const {
    return (std::uint64_t{1} << fraction_bits) - 1;
  }
  /// Biased exponent of infinities and NaNs.
  constexpr std::int64_t top() const {
    return (std::int64_t{1} << exponent_bits) - 1;
  }
  constexpr std::int64_t bias() const { return top() / 2; }

  /// Assembles sign, biased exponent and the low bits of `fraction`.
  constexpr std::uint64_t Compose(bool negative, std::int64_t exponent,
                                  std::uint64_t fraction) const {
    return std::uint64_t{negative} << (fraction_bits + exponent_bits) |
           static_cast<std::uint64_t>(exponent) << fraction_bits |
           (fraction & ones());
  }
};

/// Of half, bfloat16, float and double.
constexpr FloatLayout LayoutOf(isa::DType type) {
  switch (type) {
    case isa::DType::kHalf:
      return {10, 5};
    case isa::DType::kBfloat16:
      return {7, 8};
    case isa::DType::kFloat:
      return {23, 8};
    default:
      return {52, 11};
  }
}

/// Element nearest below or at `value`, which is in range.
constexpr std::uint64_t FromInteger(const FloatLayout& l, bool negative,
                                    std::uint64_t value) {
  if (value == 0) return l.Compose(negative, 0, 0);
  const int top_bit = 63 - std::countl_zero(value);
  const int shift = l.fraction_bits - top_bit;
  return l.Compose(negative, l.bias() + top_bit,
                   shift >= 0 ? value << shift : value >> -shift);
}

/// The ends of each class of numbers.
std::uint64_t SpecialFloat(const FloatLayout& l, std::uint64_t word);

/// See ThemedElement.
std::uint64_t FloatElement(const FloatLayout& l, const DataTheme& theme,
                           std::int64_t index, std::uint64_t word);

/// Whether `use` is one of pairs.
constexpr bool IsOfPairs(DataUse use) {
  return use == DataUse::kPairSum || use == DataUse::kPairDifference ||
         use == DataUse::kPairProduct;
}

/// Of an integer type, more than its bits; nothing where the intent means for
/// pairs what it means for any elements.
std::optional<std::uint64_t> PairedInteger(isa::DType type,
                                           const DataTheme& theme,
                                           std::int64_t index,
                                           std::uint64_t word);

}  // namespace lanediff::make

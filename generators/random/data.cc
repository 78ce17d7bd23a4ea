#include "generators/random/data.h"

#include <algorithm>
#include <array>

#include "differential/testcase/element.h"
#include "generators/random/element_data.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::WidthMask;
using enum DataIntent;

// How often each intent is drawn, by what the elements are for.

constexpr std::array<Weighted<DataIntent>, 13> kSumData = {{
    {kTies, 14},
    {kJustOverflow, 12},
    {kCancellation, 12},
    {kSubnormals, 8},
    {kSignedZeros, 5},
    {kInfinitiesAndNans, 7},
    {kRamp, 6},
    {kRandomBits, 8},
    {kSmallIntegers, 6},
    {kSpecial, 8},
    {kNormal, 8},
    {kPowersOfTwo, 4},
    {kAllEqual, 2},
}};
/// Ordinary products are 0 or infinite after a few factors: most data keep
/// near one.
constexpr std::array<Weighted<DataIntent>, 13> kProductData = {{
    {kTies, 14},
    {kJustOverflow, 12},
    {kCancellation, 10},
    {kSubnormals, 10},
    {kSignedZeros, 3},
    {kInfinitiesAndNans, 5},
    {kRamp, 2},
    {kRandomBits, 3},
    {kSmallIntegers, 3},
    {kSpecial, 5},
    {kPowersOfTwo, 7},
    {kNearOne, 24},
    {kAllEqual, 2},
}};
/// Values and their signs matter; nothing is rounded.
constexpr std::array<Weighted<DataIntent>, 10> kCompareData = {{
    {kSubnormals, 8},
    {kSignedZeros, 14},
    {kInfinitiesAndNans, 14},
    {kRamp, 10},
    {kRandomBits, 16},
    {kSmallIntegers, 10},
    {kSpecial, 14},
    {kNormal, 6},
    {kJustOverflow, 4},
    {kAllEqual, 4},
}};
/// Bits move: places matter more than values.
constexpr std::array<Weighted<DataIntent>, 8> kCopyData = {{
    {kRamp, 30},
    {kRandomBits, 35},
    {kSpecial, 10},
    {kInfinitiesAndNans, 10},
    {kSubnormals, 6},
    {kSignedZeros, 4},
    {kNormal, 3},
    {kPowersOfTwo, 2},
}};
constexpr std::array<Weighted<DataIntent>, 6> kIntegerData = {{
    {kRamp, 30},
    {kRandomBits, 30},
    {kSmallIntegers, 15},
    {kSpecial, 15},
    {kPowersOfTwo, 6},
    {kAllEqual, 4},
}};

/// Factors of each other only: they need not keep near one.
constexpr std::array<Weighted<DataIntent>, 13> kPairProductData = {{
    {kTies, 14},
    {kJustOverflow, 14},
    {kCancellation, 6},
    {kSubnormals, 14},
    {kSignedZeros, 6},
    {kInfinitiesAndNans, 8},
    {kRamp, 5},
    {kRandomBits, 9},
    {kSmallIntegers, 6},
    {kSpecial, 10},
    {kPowersOfTwo, 3},
    {kNearOne, 3},
    {kAllEqual, 2},
}};
/// Results within and beyond the type, and next to its limits.
constexpr std::array<Weighted<DataIntent>, 8> kIntegerPairData = {{
    {kRamp, 10},
    {kRandomBits, 20},
    {kSmallIntegers, 10},
    {kSpecial, 20},
    {kPowersOfTwo, 8},
    {kJustOverflow, 20},
    {kCancellation, 8},
    {kAllEqual, 4},
}};

std::uint64_t SpecialInteger(DType type, std::uint64_t word) {
  const std::uint64_t mask = WidthMask(type);
  const std::uint64_t sign = mask ^ mask >> 1;
  const std::array<std::uint64_t, 7> choices = {0,        1,        mask, sign,
                                                sign - 1, sign + 1, word};
  return choices[Random::Scale(word, choices.size())] & mask;
}

std::uint64_t IntegerElement(DType type, const DataTheme& theme,
                             std::int64_t index, std::uint64_t word) {
  if (IsOfPairs(theme.use)) {
    const auto paired = PairedInteger(type, theme, index, word);
    if (paired) return *paired;
  }
  const bool any = theme.intent == kSpecial || theme.intent == kRandomBits;
  if (theme.use == DataUse::kProduct && !any) {
    // Factors that soon leave the type would hide the others.
    constexpr std::array<std::int64_t, 8> kFactors = {1, 1, 1, 1, 1, -1, 3, 0};
    const std::size_t which = Random::Scale(word, kFactors.size());
    return which + 1 == kFactors.size()
               ? static_cast<std::uint64_t>(index % 7 + 1)
               : static_cast<std::uint64_t>(kFactors[which]);
  }
  switch (theme.intent) {
    case kRamp:
      return static_cast<std::uint64_t>(index + 1);
    case kSmallIntegers: {
      const std::uint64_t size = Random::Scale(word << 1, 17);
      return word >> 63 != 0 ? std::uint64_t{0} - size : size;
    }
    case kSpecial:
      return SpecialInteger(type, word);
    case kPowersOfTwo:
      return std::uint64_t{1} << Random::Scale(
                 word, static_cast<std::uint32_t>(isa::SizeBytes(type) * 8));
    case kAllEqual:
      return theme.key;
    default:
      return word;
  }
}

void Store(std::uint64_t bits, std::size_t size, std::uint8_t* out) {
  for (std::size_t b = 0; b < size; ++b) {
    out[b] = static_cast<std::uint8_t>(bits >> 8 * b);
  }
}

template <std::size_t kSize>
void Fill(Random& random, DType type, const DataTheme& theme,
          std::vector<std::uint8_t>& bytes) {
  const bool floating = IsFloating(type);
  const FloatLayout layout = LayoutOf(type);
  for (std::size_t i = 0; i < bytes.size() / kSize; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    Store(floating ? FloatElement(layout, theme, index, random.Bits())
                   : IntegerElement(type, theme, index, random.Bits()),
          kSize, bytes.data() + i * kSize);
  }
}

void FillRandom(Random& random, std::vector<std::uint8_t>& bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    const std::uint64_t word = random.Bits();
    Store(word, std::min<std::size_t>(8, bytes.size() - i), &bytes[i]);
  }
}

/// A special element here and there.
void Sprinkle(Random& random, DType type, std::vector<std::uint8_t>& bytes) {
  const std::int64_t size = isa::SizeBytes(type);
  const std::int64_t count = static_cast<std::int64_t>(bytes.size()) / size;
  for (std::int64_t n = 1 + count / 64; n > 0; --n) {
    const std::int64_t at = random.Between(0, count - 1) * size;
    Store(SpecialElement(random, type), static_cast<std::size_t>(size),
          &bytes[static_cast<std::size_t>(at)]);
  }
}

}  // namespace

std::uint64_t ThemedElement(DType type, const DataTheme& theme,
                            std::int64_t index, std::uint64_t word) {
  const std::uint64_t bits =
      IsFloating(type) ? FloatElement(LayoutOf(type), theme, index, word)
                       : IntegerElement(type, theme, index, word);
  return bits & WidthMask(type);
}

std::uint64_t SpecialElement(Random& random, DType type) {
  return IsFloating(type) ? SpecialFloat(LayoutOf(type), random.Bits())
                          : SpecialInteger(type, random.Bits());
}

std::vector<std::uint8_t> GenerateData(Random& random, DType type,
                                       const DataTheme& theme,
                                       std::int64_t count) {
  const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * size);
  if (theme.intent == kRandomBits) {
    FillRandom(random, bytes);
    return bytes;
  }
  switch (size) {
    case 1:
      Fill<1>(random, type, theme, bytes);
      break;
    case 2:
      Fill<2>(random, type, theme, bytes);
      break;
    case 4:
      Fill<4>(random, type, theme, bytes);
      break;
    default:
      Fill<8>(random, type, theme, bytes);
      break;
  }
  if (count > 0 && random.Percent(15)) Sprinkle(random, type, bytes);
  return bytes;
}

std::span<const Weighted<DataIntent>> DataIntentsOf(DType type, DataUse use) {
  if (!IsFloating(type)) {
    return IsOfPairs(use)
               ? std::span<const Weighted<DataIntent>>(kIntegerPairData)
               : kIntegerData;
  }
  switch (use) {
    case DataUse::kConversion:
    case DataUse::kIndex:
    case DataUse::kSum:
    case DataUse::kPairSum:
    case DataUse::kPairDifference:
      return kSumData;
    case DataUse::kProduct:
      return kProductData;
    case DataUse::kPairProduct:
      return kPairProductData;
    case DataUse::kCompare:
    case DataUse::kMagnitude:
      return kCompareData;
    case DataUse::kCopy:
      break;
  }
  return kCopyData;
}

DataTheme GenerateTheme(Random& random, DType type, DataUse use, Style style) {
  if (style == Style::kUniform) {
    return {.intent = kRandomBits, .use = use, .key = 0, .second = false};
  }
  return {.intent = random.PickWeighted(DataIntentsOf(type, use)),
          .use = use,
          .key = random.Bits(),
          .second = false};
}

}  // namespace lanediff::make

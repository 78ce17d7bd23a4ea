#include "generators/random/pair_data.h"

#include <algorithm>

#include "generators/random.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

/// What both sides of pair `index` know.
std::uint64_t KeyOf(const DataTheme& theme, std::int64_t index) {
  return Random(theme.key + static_cast<std::uint64_t>(index)).Bits();
}

bool SignOf(std::uint64_t word) { return word >> 63 != 0; }

/// Next to the sum that is rounded to infinity: two numbers of half the largest
/// one's size; or the largest one and about half a unit of it.
std::uint64_t JustOverflowSum(const FloatLayout& l, const DataTheme& theme,
                              std::uint64_t pair, std::uint64_t word) {
  const bool negative = (pair >> 40 & 1) != 0;
  const std::uint64_t few = word & 3;
  if ((pair & 1) != 0) {
    return l.Compose(negative, l.top() - 2, l.ones() - few);
  }
  if (theme.second == ((pair & 2) != 0)) {
    return l.Compose(negative, l.top() - 1, l.ones() - few / 3);
  }
  const std::uint64_t half_unit =
      l.Compose(negative, l.top() - 2 - l.fraction_bits, 0);
  return half_unit + few - 1;
}

/// (2 - a few units) · (1 + a few), the exponents such that 2 is too much.
std::uint64_t JustOverflowProduct(const FloatLayout& l, const DataTheme& theme,
                                  std::uint64_t pair, std::uint64_t word) {
  const auto bias = static_cast<std::uint64_t>(l.bias());
  const auto octaves = static_cast<std::int64_t>(pair % bias);
  const bool below = theme.second == ((pair >> 20 & 1) != 0);
  return l.Compose(SignOf(word),
                   theme.second ? l.top() - 1 - octaves : l.bias() + octaves,
                   below ? l.ones() - (word & 7) : word & 7);
}

/// A unit of the larger one's last place lies half below the smaller one.
std::uint64_t TieOfSum(const FloatLayout& l, const DataTheme& theme,
                       std::uint64_t pair, std::uint64_t word) {
  const std::int64_t least = l.fraction_bits + 2;
  const auto spread = static_cast<std::uint64_t>(l.top() - 1 - least);
  const std::int64_t exponent =
      least + static_cast<std::int64_t>(pair % spread);
  if (theme.second == ((pair >> 20 & 1) != 0)) {
    return l.Compose(SignOf(word), exponent, word);
  }
  return l.Compose(SignOf(word), exponent - l.fraction_bits - 1, 0);
}

/// 1.5 times an odd significand below 4/3 lies halfway.
std::uint64_t TieOfProduct(const FloatLayout& l, const DataTheme& theme,
                           std::uint64_t pair, std::uint64_t word) {
  const auto octaves = static_cast<std::int64_t>(pair & 3);
  if (theme.second == ((pair >> 20 & 1) != 0)) {
    return l.Compose(SignOf(word), l.bias() - octaves, (l.ones() + 1) / 2);
  }
  return l.Compose(SignOf(word), l.bias() + octaves, (word & l.ones()) / 3 | 1);
}

/// Products between half the smallest subnormal number and the normal ones.
std::uint64_t SubnormalProduct(const FloatLayout& l, const DataTheme& theme,
                               std::uint64_t pair, std::uint64_t word) {
  const std::int64_t first =
      1 +
      static_cast<std::int64_t>(pair % static_cast<std::uint64_t>(l.bias()));
  const auto places = static_cast<std::uint64_t>(l.fraction_bits + 3);
  const std::int64_t result =
      1 - static_cast<std::int64_t>((pair >> 20) % places);
  const std::int64_t exponent =
      theme.second ? std::max<std::int64_t>(result + l.bias() - first, 0)
                   : first;
  // Few bits on one side let ties come.
  const bool plain = theme.second && (pair >> 40 & 1) != 0;
  return l.Compose(SignOf(word), exponent, plain ? 0 : word);
}

/// Bits of the integer next to the limit; what is beyond the type is cut off.
std::uint64_t IntegerLimit(std::int64_t bits, bool low) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return low ? sign : sign - 1;
}

/// -2 to 2.
std::uint64_t FewUnits(std::uint64_t word) {
  return Random::Scale(word, 5) - std::uint64_t{2};
}

/// Two parts whose sum or product is next to a limit of the type.
std::uint64_t NextToLimit(std::int64_t bits, const DataTheme& theme,
                          std::uint64_t pair, std::uint64_t word) {
  const bool low = (pair >> 50 & 1) != 0;
  if (theme.use == DataUse::kPairProduct) {
    const auto power = 1 + pair % static_cast<std::uint64_t>(bits - 2);
    const std::uint64_t first = std::uint64_t{1} << power;
    const std::uint64_t other =
        std::uint64_t{1} << (static_cast<std::uint64_t>(bits) - 1 - power);
    if (!theme.second) return low ? std::uint64_t{0} - first : first;
    return other + FewUnits(word);
  }
  // Of any size, so that either side may be the larger one.
  const std::uint64_t part =
      (pair & IntegerLimit(bits, false)) >> (pair >> 56) % 16;
  const std::uint64_t taken = low ? std::uint64_t{0} - part : part;
  if (!theme.second) return IntegerLimit(bits, low) - taken;
  const std::uint64_t rest = taken + FewUnits(word);
  return theme.use == DataUse::kPairDifference ? std::uint64_t{0} - rest : rest;
}

}  // namespace

std::uint64_t PairedFloat(const FloatLayout& l, const DataTheme& theme,
                          std::int64_t index, std::uint64_t word) {
  const std::uint64_t pair = KeyOf(theme, index);
  const bool product = theme.use == DataUse::kPairProduct;
  DataTheme alone = theme;
  alone.use = product ? DataUse::kProduct : DataUse::kSum;
  const auto make = [&]() -> std::uint64_t {
    switch (theme.intent) {
      case DataIntent::kTies:
        return product ? TieOfProduct(l, theme, pair, word)
                       : TieOfSum(l, theme, pair, word);
      case DataIntent::kJustOverflow:
        return product ? JustOverflowProduct(l, theme, pair, word)
                       : JustOverflowSum(l, theme, pair, word);
      case DataIntent::kSubnormals:
        if (product) return SubnormalProduct(l, theme, pair, word);
        break;
      default:
        break;
    }
    // Neighbours of one source are what the sides of a pair are here.
    return FloatElement(l, alone, 2 * index + (theme.second ? 1 : 0), word);
  };
  const std::uint64_t element = make();
  const bool by_pair = theme.intent == DataIntent::kCancellation ||
                       theme.intent == DataIntent::kJustOverflow;
  const bool subtracted =
      theme.use == DataUse::kPairDifference && theme.second && by_pair;
  return subtracted ? element ^ l.Compose(true, 0, 0) : element;
}

std::optional<std::uint64_t> PairedInteger(isa::DType type,
                                           const DataTheme& theme,
                                           std::int64_t index,
                                           std::uint64_t word) {
  const std::uint64_t pair = KeyOf(theme, index);
  switch (theme.intent) {
    case DataIntent::kJustOverflow:
      return NextToLimit(isa::SizeBytes(type) * 8, theme, pair, word);
    case DataIntent::kCancellation: {
      if (!theme.second) return pair;
      const std::uint64_t units = FewUnits(word);
      if (theme.use == DataUse::kPairProduct) return units;
      return theme.use == DataUse::kPairSum ? units - pair : units + pair;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace lanediff::make

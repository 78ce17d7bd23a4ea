#include "generators/random/element_data.h"

#include <algorithm>
#include <array>

#include "generators/random.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

/// The bits of a random word and what they decide: the top one the sign, the
/// next ones a choice, the low ones a fraction.
bool SignOf(std::uint64_t word) { return word >> 63 != 0; }
std::uint64_t Choice(std::uint64_t word, std::uint32_t count) {
  return Random::Scale(word << 1, count);
}

std::uint64_t Mix(std::uint64_t z) { return Random(z).Bits(); }

/// Sums of neighbours lie halfway between two representable numbers: an odd
/// element is half the unit of the even one before it.
std::uint64_t TieOfSum(const FloatLayout& l, const DataTheme& theme,
                       std::int64_t index, std::uint64_t word) {
  const std::int64_t least = l.fraction_bits + 2;
  const std::int64_t exponent =
      least + static_cast<std::int64_t>(
                  theme.key % static_cast<std::uint64_t>(l.top() - 1 - least));
  if (index % 2 == 0) return l.Compose(SignOf(word), exponent, word);
  return l.Compose(SignOf(word), exponent - l.fraction_bits - 1, 0);
}

/// 1.5 times an odd significand below 4/3 lies halfway.
std::uint64_t TieOfProduct(const FloatLayout& l, std::uint64_t word) {
  const std::uint64_t choice = Choice(word, 8);
  std::uint64_t fraction = 0;
  if (choice >= 4) fraction = (l.ones() + 1) / 2;
  if (choice >= 6) fraction = (word & l.ones()) / 3 | 1;
  return l.Compose(SignOf(word), l.bias(), fraction);
}

/// 2^level elements sum up to the largest finite number or just beyond.
std::uint64_t JustOverflowSum(const FloatLayout& l, const DataTheme& theme,
                              std::uint64_t word) {
  const auto level = static_cast<std::int64_t>(1 + theme.key % 7);
  const bool negative = (theme.key >> 32 & 1) != 0;
  const std::uint64_t units = word & 3;
  const bool odd_one = Choice(word, 32) == 31;
  return l.Compose(negative != odd_one, l.top() - 1 - level, l.ones() - units);
}

/// Now and then a factor whose square is next to the largest finite number.
std::uint64_t JustOverflowProduct(const FloatLayout& l, const DataTheme& theme,
                                  std::int64_t index, std::uint64_t word) {
  const std::uint64_t period = std::uint64_t{4} << theme.key % 6;
  const bool large =
      (static_cast<std::uint64_t>(index) + (theme.key >> 8)) % period < 2;
  if (!large) return l.Compose(SignOf(word), l.bias(), 0);
  return l.Compose(SignOf(word), l.bias() + l.bias() / 2,
                   l.ones() - (word & 7));
}

/// Neighbours are opposite numbers, or reciprocals, up to one unit.
std::uint64_t Cancellation(const FloatLayout& l, const DataTheme& theme,
                           std::int64_t index, std::uint64_t word) {
  const std::uint64_t pair =
      Mix(theme.key + static_cast<std::uint64_t>(index / 2));
  const bool second = index % 2 != 0;
  const auto octaves = static_cast<std::int64_t>(pair >> 58 & 7);
  if (theme.use == DataUse::kProduct) {
    return l.Compose(SignOf(word), l.bias() + (second ? -octaves : octaves),
                     word & 1);
  }
  const std::uint64_t fraction = (pair & (l.ones() - 1)) + (word & 1);
  return l.Compose(second, l.bias() + octaves, fraction);
}

/// For products a tiny factor among factors of a half to one.
std::uint64_t Subnormal(const FloatLayout& l, const DataTheme& theme,
                        std::int64_t index, std::uint64_t word) {
  if (theme.use != DataUse::kProduct) {
    return l.Compose(SignOf(word), static_cast<std::int64_t>(Choice(word, 2)),
                     word);
  }
  const std::uint64_t period = std::uint64_t{8} << theme.key % 4;
  if ((static_cast<std::uint64_t>(index) + (theme.key >> 8)) % period == 0) {
    return l.Compose(
        SignOf(word),
        1 + static_cast<std::int64_t>(
                Choice(word, static_cast<std::uint32_t>(l.fraction_bits))),
        word);
  }
  return l.Compose(SignOf(word), l.bias() - (Choice(word, 4) == 3 ? 1 : 0),
                   Choice(word, 4) == 3 ? word : 0);
}

std::uint64_t InfinityOrNan(const FloatLayout& l, std::uint64_t word) {
  switch (Choice(word, 16)) {
    case 14:
      return l.Compose(SignOf(word), l.top(), 0);
    case 15:
      return l.Compose(SignOf(word), l.top(), word | 1);
    default:
      return l.Compose(SignOf(word), l.bias(), word);
  }
}

std::uint64_t PowerOfTwo(const FloatLayout& l, const DataTheme& theme,
                         std::int64_t index, std::uint64_t word) {
  std::int64_t octaves = static_cast<std::int64_t>(Choice(word, 5)) - 2;
  if (theme.use == DataUse::kProduct) {
    octaves = index % 2 == 0 ? octaves : -octaves;
  } else {
    octaves *= static_cast<std::int64_t>(1 + theme.key % 6);
  }
  return l.Compose(SignOf(word), l.bias() + octaves, 0);
}

/// A few units beside one, on either side.
std::uint64_t NearOne(const FloatLayout& l, const DataTheme& theme,
                      std::uint64_t word) {
  const std::uint32_t spread = std::uint32_t{2} << theme.key % 7;
  const std::uint64_t units = Choice(word, 2 * spread);
  const std::uint64_t one = l.Compose(SignOf(word), l.bias(), 0);
  return units < spread ? one + units : one - (units - spread);
}

// ---- Conversions ------------------------------------------------------------

/// Halfway between two whole numbers or, of float, between two halves or two
/// bfloat16 numbers.
std::uint64_t TieOfConversion(const FloatLayout& l, const DataTheme& theme,
                              std::uint64_t word) {
  const std::uint64_t kind = theme.key % 3;
  if (l.fraction_bits != 23 || kind == 0) {
    const auto places = static_cast<std::uint32_t>(l.fraction_bits);
    const std::uint64_t odd = (word & l.ones()) >> Choice(word, places) | 1;
    return FromInteger(l, SignOf(word), odd) - (l.ones() + 1);
  }
  const bool half = kind == 1;
  const std::uint64_t half_unit = half ? 0x1000 : 0x8000;
  const auto exponent =
      static_cast<std::int64_t>(Choice(word, half ? 30 : 254));
  return l.Compose(SignOf(word), half ? l.bias() - 14 + exponent : exponent + 1,
                   (word | half_unit) & ~(half_unit - 1));
}

/// Next to where integers end, or half a unit below; of float also next to what
/// half and bfloat16 round to infinity.
std::uint64_t JustOverflowConversion(const FloatLayout& l, std::uint64_t word) {
  // Of int8, uint8, int16, half, int32 and int64.
  constexpr std::array<std::int64_t, 6> kEnds = {7, 8, 15, 16, 31, 63};
  const std::uint64_t kind = Choice(word, 9);
  const bool negative = SignOf(word);
  const std::uint64_t few = (word & 3) - 1;
  if (l.fraction_bits == 23 && kind >= kEnds.size()) {
    return few + (kind == kEnds.size()
                      ? l.Compose(negative, l.bias() + 15, 0x7ff000)
                      : l.Compose(negative, l.top() - 1, 0x7f8000));
  }
  const std::int64_t end =
      std::min<std::int64_t>(kEnds[kind % kEnds.size()], l.bias());
  if ((word & 4) != 0 && end <= l.fraction_bits) {
    const std::uint64_t odd = (std::uint64_t{2} << end) - 1;
    return few + FromInteger(l, negative, odd) - (l.ones() + 1);
  }
  return few + l.Compose(negative, l.bias() + end, 0);
}

// ---- Pairs ------------------------------------------------------------------

/// What both sides of pair `index` know.
std::uint64_t KeyOf(const DataTheme& theme, std::int64_t index) {
  return Random(theme.key + static_cast<std::uint64_t>(index)).Bits();
}

/// Next to the sum that is rounded to infinity: two numbers of half the largest
/// one's size; or the largest one and about half a unit of it.
std::uint64_t PairedJustOverflowSum(const FloatLayout& l,
                                    const DataTheme& theme, std::uint64_t pair,
                                    std::uint64_t word) {
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
std::uint64_t PairedJustOverflowProduct(const FloatLayout& l,
                                        const DataTheme& theme,
                                        std::uint64_t pair,
                                        std::uint64_t word) {
  const auto bias = static_cast<std::uint64_t>(l.bias());
  const auto octaves = static_cast<std::int64_t>(pair % bias);
  const bool below = theme.second == ((pair >> 20 & 1) != 0);
  return l.Compose(SignOf(word),
                   theme.second ? l.top() - 1 - octaves : l.bias() + octaves,
                   below ? l.ones() - (word & 7) : word & 7);
}

/// A unit of the larger one's last place lies half below the smaller one.
std::uint64_t PairedTieOfSum(const FloatLayout& l, const DataTheme& theme,
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
std::uint64_t PairedTieOfProduct(const FloatLayout& l, const DataTheme& theme,
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

/// Of a floating type, for a use of pairs: see ThemedElement.
std::uint64_t PairedFloat(const FloatLayout& l, const DataTheme& theme,
                          std::int64_t index, std::uint64_t word) {
  const std::uint64_t pair = KeyOf(theme, index);
  const bool product = theme.use == DataUse::kPairProduct;
  DataTheme alone = theme;
  alone.use = product ? DataUse::kProduct : DataUse::kSum;
  const auto make = [&]() -> std::uint64_t {
    switch (theme.intent) {
      case DataIntent::kTies:
        return product ? PairedTieOfProduct(l, theme, pair, word)
                       : PairedTieOfSum(l, theme, pair, word);
      case DataIntent::kJustOverflow:
        return product ? PairedJustOverflowProduct(l, theme, pair, word)
                       : PairedJustOverflowSum(l, theme, pair, word);
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

}  // namespace

std::uint64_t SpecialFloat(const FloatLayout& l, std::uint64_t word) {
  const bool negative = SignOf(word);
  const std::int64_t top = l.top();
  const auto any = static_cast<std::int64_t>(
      Random::Scale(word << 8, static_cast<std::uint32_t>(top - 1)));
  switch (Choice(word, 12)) {
    case 0:
      return l.Compose(negative, 0, 0);
    case 1:
      return l.Compose(negative, 0, 1);
    case 2:
      return l.Compose(negative, 0, l.ones());
    case 3:
      return l.Compose(negative, 1, (word & 1) != 0 ? l.ones() : 0);
    case 4:
      return l.Compose(negative, top - 1, l.ones());
    case 5:
      return l.Compose(negative, top - 1, word);
    case 6:
      return l.Compose(negative, top, 0);
    case 7:
      return l.Compose(negative, top, word | 1);
    case 8:
      return l.Compose(negative, any + 1, 0);
    case 9:
      return l.Compose(negative, l.bias(), word);
    case 10:
      return l.Compose(negative, any + 1, l.ones());
    default:
      return l.Compose(negative, l.bias(), 0);
  }
}

std::uint64_t FloatElement(const FloatLayout& l, const DataTheme& theme,
                           std::int64_t index, std::uint64_t word) {
  if (IsOfPairs(theme.use)) return PairedFloat(l, theme, index, word);
  if (theme.use == DataUse::kConversion) {
    if (theme.intent == DataIntent::kTies) {
      return TieOfConversion(l, theme, word);
    }
    if (theme.intent == DataIntent::kJustOverflow) {
      return JustOverflowConversion(l, word);
    }
  }
  const bool product = theme.use == DataUse::kProduct;
  switch (theme.intent) {
    case DataIntent::kTies:
      return product ? TieOfProduct(l, word) : TieOfSum(l, theme, index, word);
    case DataIntent::kJustOverflow:
      return product ? JustOverflowProduct(l, theme, index, word)
                     : JustOverflowSum(l, theme, word);
    case DataIntent::kCancellation:
      return Cancellation(l, theme, index, word);
    case DataIntent::kSubnormals:
      return Subnormal(l, theme, index, word);
    case DataIntent::kSignedZeros:
      return l.Compose(SignOf(word), Choice(word, 8) == 7 ? l.bias() : 0, 0);
    case DataIntent::kInfinitiesAndNans:
      return InfinityOrNan(l, word);
    case DataIntent::kRamp:
      // Integers up to 2^(fraction bits + 1) are exact.
      return FromInteger(
          l, false,
          1 + (static_cast<std::uint64_t>(index) & (2 * l.ones() + 1)));
    case DataIntent::kSmallIntegers:
      return FromInteger(l, SignOf(word), Choice(word, 17));
    case DataIntent::kSpecial:
      return SpecialFloat(l, word);
    case DataIntent::kNormal:
      return l.Compose(SignOf(word),
                       l.bias() + static_cast<std::int64_t>(Choice(word, 12)) -
                           (product ? 6 : 8),
                       word);
    case DataIntent::kPowersOfTwo:
      return PowerOfTwo(l, theme, index, word);
    case DataIntent::kNearOne:
      return NearOne(l, theme, word);
    case DataIntent::kAllEqual:
      return l.Compose(SignOf(theme.key),
                       l.bias() + (product ? 0 : 5) -
                           static_cast<std::int64_t>(Choice(theme.key, 8)),
                       theme.key);
    case DataIntent::kRandomBits:
      break;
  }
  return word;
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

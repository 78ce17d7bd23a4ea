#include "diff/generate/data.h"

#include <array>
#include <bit>
#include <string>

#include "diff/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;

/// Significand and exponent widths of a floating type.
struct Layout {
  int fraction;
  int exponent;
};

Layout LayoutOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {10, 5};
    case DType::kBfloat16:
      return {7, 8};
    case DType::kFloat:
      return {23, 8};
    default:
      return {52, 11};
  }
}

/// Assembles sign, biased exponent and fraction.
std::uint64_t Compose(DType type, bool negative, std::int64_t exponent,
                      std::uint64_t fraction) {
  const Layout l = LayoutOf(type);
  const std::uint64_t sign = negative ? 1 : 0;
  return sign << (l.fraction + l.exponent) |
         static_cast<std::uint64_t>(exponent) << l.fraction |
         (fraction & ((std::uint64_t{1} << l.fraction) - 1));
}

std::uint64_t SpecialFloat(Random& random, DType type) {
  const Layout l = LayoutOf(type);
  const std::int64_t top = (std::int64_t{1} << l.exponent) - 1;
  const std::uint64_t ones = (std::uint64_t{1} << l.fraction) - 1;
  const bool negative = random.Percent(50);
  switch (random.Between(0, 11)) {
    case 0:
      return Compose(type, negative, 0, 0);
    case 1:
      return Compose(type, negative, 0, 1);
    case 2:
      return Compose(type, negative, 0, ones);
    case 3:
      return Compose(type, negative, 1, random.OneOf({std::uint64_t{0}, ones}));
    case 4:
      return Compose(type, negative, top - 1, ones);
    case 5:
      return Compose(type, negative, top - 1, random.Bits());
    case 6:
      return Compose(type, negative, top, 0);
    case 7:
      return Compose(type, negative, top, random.Bits() | 1);
    case 8:
      return Compose(type, negative, random.Between(1, top - 1), 0);
    case 9:
      return Compose(type, negative, top / 2, random.Bits());
    case 10:
      return Compose(type, negative, random.Between(0, top), ones);
    default:
      return Compose(type, negative, top / 2, 0);
  }
}

std::uint64_t WidthMask(DType type) {
  const std::int64_t bits = isa::SizeBytes(type) * 8;
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The element nearest to an integer.
std::uint64_t FromInteger(DType type, std::int64_t value) {
  const auto bits = ElementFromNumber(type, std::to_string(value));
  return bits ? *bits : static_cast<std::uint64_t>(value) & WidthMask(type);
}

/// What all elements of a region have in common.
enum class Intent {
  kRandomBits,
  kSpecial,
  kSmallIntegers,
  kNearOverflow,
  kTies,
  kCancellation,
  kSubnormals,
  kRamp,
  kNormal,
};
constexpr std::array kIntents = {
    Intent::kRandomBits,   Intent::kSpecial, Intent::kSmallIntegers,
    Intent::kNearOverflow, Intent::kTies,    Intent::kCancellation,
    Intent::kSubnormals,   Intent::kRamp,    Intent::kNormal};

std::uint64_t FloatElement(Random& random, DType type, Intent intent,
                           std::int64_t index) {
  const Layout l = LayoutOf(type);
  const std::int64_t top = (std::int64_t{1} << l.exponent) - 1;
  const std::int64_t bias = top / 2;
  const bool negative = random.Percent(50);
  switch (intent) {
    case Intent::kSpecial:
      return SpecialFloat(random, type);
    case Intent::kSmallIntegers:
      return FromInteger(type, random.Between(-16, 16));
    case Intent::kNearOverflow:
      return Compose(type, random.Percent(20), top - 1 - random.Between(0, 2),
                     random.Bits());
    case Intent::kTies: {
      // Exponents a few bits apart whose low bits fall on the middle between
      // two representable sums.
      const std::int64_t exponent = bias + random.Between(0, l.fraction + 2);
      return Compose(type, random.Percent(10), exponent,
                     random.OneOf<std::uint64_t>({0, 1, 2, 3}));
    }
    case Intent::kCancellation:
      return Compose(type, index % 2 != 0, bias + 1,
                     random.OneOf<std::uint64_t>({0, 1, 5}));
    case Intent::kSubnormals:
      return Compose(type, negative, random.Between(0, 1), random.Bits());
    case Intent::kRamp:
      return FromInteger(type, index + 1);
    case Intent::kNormal:
      return Compose(type, negative, bias + random.Between(-8, 4),
                     random.Bits());
    case Intent::kRandomBits:
      break;
  }
  return random.Bits() & WidthMask(type);
}

}  // namespace

std::uint64_t SpecialElement(Random& random, DType type) {
  if (IsFloating(type)) return SpecialFloat(random, type);
  const std::uint64_t mask = WidthMask(type);
  const std::uint64_t sign = mask ^ mask >> 1;
  return random.OneOf<std::uint64_t>(
             {0, 1, mask, sign, sign - 1, sign + 1, random.Bits()}) &
         mask;
}

std::vector<std::uint8_t> GenerateData(Random& random, DType type,
                                       std::int64_t count) {
  const Intent intent = random.Pick(kIntents);
  std::vector<std::uint8_t> bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    if (intent != Intent::kSpecial && random.Percent(1)) {
      bits = SpecialElement(random, type);
    } else if (IsFloating(type)) {
      bits = FloatElement(random, type, intent, i);
    } else if (intent == Intent::kRamp) {
      bits = static_cast<std::uint64_t>(i + 1) & WidthMask(type);
    } else {
      bits = intent == Intent::kSpecial ? SpecialElement(random, type)
                                        : random.Bits() & WidthMask(type);
    }
    AppendElement(type, bits, bytes);
  }
  return bytes;
}

}  // namespace lanediff::diff

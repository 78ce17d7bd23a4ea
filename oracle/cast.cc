#include "oracle/cast.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "oracle/count_events.h"
#include "oracle/exact_integer.h"
#include "oracle/format.h"
#include "oracle/memory_map.h"

namespace lanediff::oracle {
namespace {

using enum isa::DType;
using enum isa::RoundMode;
using isa::DType;
using isa::Product;
using isa::RoundMode;

// ---- Which there are --------------------------------------------------------

/// A line of a table of the page: the types, and modes by their first letters,
/// D being CAST_ODD.
struct Line {
  DType from;
  DType to;
  std::string_view modes;
};

/// Of atlas-a2, atlas-a3 and, but for the last line, atlas-200i-500-a2.
constexpr Line kOnNewer[] = {
    {kInt8, kHalf, "N"},          {kUint8, kHalf, "N"},
    {kInt16, kHalf, "RFCOTN"},    {kInt16, kFloat, "N"},
    {kHalf, kInt8, "RFCOTN"},     {kHalf, kUint8, "RFCOTN"},
    {kHalf, kInt16, "RFCOT"},     {kHalf, kInt32, "RFCOT"},
    {kHalf, kFloat, "N"},         {kBfloat16, kInt32, "RFCOT"},
    {kBfloat16, kFloat, "N"},     {kInt32, kInt16, "N"},
    {kInt32, kFloat, "RFCOTN"},   {kInt32, kInt64, "N"},
    {kFloat, kInt16, "RFCOT"},    {kFloat, kHalf, "RFCOTDN"},
    {kFloat, kBfloat16, "RFCOT"}, {kFloat, kInt32, "RFCOT"},
    {kFloat, kFloat, "RFCOT"},    {kFloat, kInt64, "RFCOT"},
    {kInt64, kInt32, "N"},        {kInt64, kFloat, "RFCOT"}};
constexpr Line kOnAicore[] = {
    {kInt8, kHalf, "N"},      {kUint8, kHalf, "N"},
    {kInt16, kHalf, "N"},     {kHalf, kInt8, "FCOTN"},
    {kHalf, kUint8, "FCOTN"}, {kHalf, kInt16, "R"},
    {kHalf, kInt32, "RFCOT"}, {kHalf, kFloat, "N"},
    {kInt32, kInt16, "N"},    {kInt32, kFloat, "N"},
    {kFloat, kHalf, "DN"},    {kFloat, kInt64, "RFCOT"}};
constexpr Line kOnTraining[] = {
    {kInt8, kHalf, "N"},      {kUint8, kHalf, "N"},
    {kInt16, kHalf, "N"},     {kHalf, kInt8, "FCOTN"},
    {kHalf, kUint8, "FCOTN"}, {kHalf, kInt32, "RFCOT"},
    {kHalf, kFloat, "N"},     {kInt32, kFloat, "N"},
    {kFloat, kHalf, "DN"},    {kFloat, kInt64, "RFCOT"}};
/// Elsewhere it takes a scale of SetDeqScale.
constexpr Line kOf200i500[] = {{kInt32, kHalf, "N"}};

const Line* FindIn(std::span<const Line> table, DType from, DType to) {
  const auto found = std::ranges::find_if(table, [&](const Line& line) {
    return line.from == from && line.to == to;
  });
  return found == table.end() ? nullptr : &*found;
}

const Line* Find(Product product, DType from, DType to) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return FindIn(kOnNewer, from, to);
    case Product::kAtlas200i500A2: {
      const Line* const own = FindIn(kOf200i500, from, to);
      return own != nullptr ? own : FindIn(kOnNewer, from, to);
    }
    case Product::kAtlasInferenceAicore:
      return FindIn(kOnAicore, from, to);
    case Product::kAtlasTraining:
      return FindIn(kOnTraining, from, to);
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      break;
  }
  return nullptr;
}

// ---- One exact value --------------------------------------------------------

constexpr Format kBfloatFormat{.precision = 8, .exponent_bits = 8};

/// The format of a floating type; integers have none.
std::optional<Format> FloatingFormat(DType type) {
  if (type == kBfloat16) return kBfloatFormat;
  if (!IsFloating(type)) return std::nullopt;
  return FormatOf(type);
}

/// What an element of any type is; integers are finite, with exponent 0.
Decoded DecodeAny(DType type, std::uint64_t bits) {
  if (const auto format = FloatingFormat(type)) return Decode(*format, bits);
  const int width = static_cast<int>(8 * ElementBytes(type));
  Decoded d;
  d.negative = IsSigned(type) && (bits >> (width - 1) & 1) != 0;
  d.significand = bits;
  if (d.negative) {
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width);
    d.significand = (0 - bits) & ones;
  }
  return d;
}

// ---- One rounding -----------------------------------------------------------

/// A magnitude in steps: how many whole ones, and whether what is left is
/// nothing, or how it compares with half a step.
struct Steps {
  NarrowInteger whole;
  bool exact = true;
  int half = -1;
};

/// significand · 2^exponent in steps of 2^unit; fewer than 2^127 of them.
Steps InSteps(std::uint64_t significand, int exponent, int unit) {
  const NarrowInteger all = significand;
  if (exponent >= unit) {
    return {all << static_cast<unsigned>(exponent - unit)};
  }
  const int behind = unit - exponent;             // digits of the rest
  if (behind > 70) return {0, significand == 0};  // less than half a step
  const auto digits = static_cast<unsigned>(behind);
  Steps steps{all >> digits};
  const NarrowInteger rest = all - (steps.whole << digits);
  const NarrowInteger half = NarrowInteger(1) << (digits - 1);
  steps.exact = rest.is_zero();
  steps.half = rest < half ? -1 : rest == half ? 0 : 1;
  return steps;
}

/// Whether the magnitude goes up to the next step: 精度转换 · 表1.
bool Carries(RoundMode mode, bool negative, const Steps& steps) {
  if (steps.exact) return false;
  const bool odd = bit_test(steps.whole, 0);
  switch (mode) {
    case kNone:
    case kRint:
      return steps.half > 0 || (steps.half == 0 && odd);
    case kFloor:
      return negative;
    case kCeil:
      return !negative;
    case kRound:
      return steps.half >= 0;
    case kTrunc:
      return false;
    case kOdd:
      return !odd;
  }
  return false;
}

/// The position of the value's highest digit, which is not zero.
int LeadingExponent(const Decoded& d) {
  return static_cast<int>(msb(NarrowInteger(d.significand))) + d.exponent;
}

/// To a whole number of 2^0.
Steps RoundToWhole(const Decoded& d, RoundMode mode) {
  Steps steps = InSteps(d.significand, d.exponent, 0);
  if (Carries(mode, d.negative, steps)) ++steps.whole;
  return steps;
}

NodeResult ToInteger(DType to, const Decoded& d, RoundMode mode) {
  const int width = static_cast<int>(8 * ElementBytes(to));
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t greatest = IsSigned(to) ? sign - 1 : ones;
  const std::uint64_t least = IsSigned(to) ? sign : 0;  // its magnitude, too
  const std::uint64_t end = d.negative ? least : greatest;
  if (d.IsNan()) return {.bits = 0, .saturated = true};
  if (d.IsInfinite()) return {.bits = end, .saturated = true};
  // Beyond every integer type, and more than is held here.
  if (d.significand != 0 && LeadingExponent(d) > 64) {
    return {.bits = end, .saturated = true};
  }
  const Steps steps = RoundToWhole(d, mode);
  if (steps.whole > end) return {.bits = end, .saturated = true};
  const auto magnitude = static_cast<std::uint64_t>(steps.whole);
  return {.bits = (d.negative ? 0 - magnitude : magnitude) & ones,
          .rounded = !steps.exact,
          .tie = !steps.exact && steps.half == 0};
}

/// A finite value as one of `format`.
NodeResult ToFormat(Format format, const Decoded& d, RoundMode mode) {
  if (d.significand == 0) return {.bits = format.Sign(d.negative)};
  const int leading = LeadingExponent(d);
  if (leading > format.Bias()) {
    // Between the greatest number, whose last digit is odd, and infinity.
    const Steps beyond{1, false, 1};
    const bool up = Carries(mode, d.negative, beyond);
    return {
        .bits = up ? format.Infinity(d.negative) : format.Greatest(d.negative),
        .rounded = true};
  }
  int unit =
      std::max(leading - format.StoredFraction(), format.QuantumExponent());
  Steps steps = InSteps(d.significand, d.exponent, unit);
  if (Carries(mode, d.negative, steps)) ++steps.whole;
  auto significand = static_cast<std::uint64_t>(steps.whole);
  if (significand >> format.precision != 0) {
    significand >>= 1;
    ++unit;
  }
  return {.bits = Encode(format, d.negative, significand, unit),
          .rounded = !steps.exact,
          .tie = !steps.exact && steps.half == 0};
}

NodeResult ToFloating(DType from, DType to, const Decoded& d, RoundMode mode) {
  const Format format = *FloatingFormat(to);
  if (d.IsNan()) return {.bits = format.CanonicalNan()};
  if (d.IsInfinite()) return {.bits = format.Infinity(d.negative)};
  if (from != to || d.exponent >= 0) {
    NodeResult result = ToFormat(format, d, mode);
    if (from == to && d.significand == 0) result.bits = 0;
    return result;
  }
  // Of the same type it is a whole number, which the type has; −0 becomes +0.
  const Steps steps = RoundToWhole(d, mode);
  const Decoded whole{.negative = d.negative && !steps.whole.is_zero(),
                      .significand = static_cast<std::uint64_t>(steps.whole)};
  NodeResult result = ToFormat(format, whole, kTrunc);
  result.rounded = !steps.exact;
  result.tie = !steps.exact && steps.half == 0;
  return result;
}

/// STATE-SATURATION of half, and of bfloat16 alike.
void Saturate(Format format, NodeResult& result) {
  const Decoded d = Decode(format, result.bits);
  if (!d.IsNan() && !d.IsInfinite()) return;
  result.bits = d.IsNan() ? 0 : format.Greatest(d.negative);
  result.saturated = true;
}

}  // namespace

bool Casts(Product product, DType from, DType to) {
  return Find(product, from, to) != nullptr;
}

bool CastsBy(Product product, DType from, DType to, RoundMode mode) {
  constexpr std::string_view kLetters = "NRFCOTD";
  const char letter = kLetters[static_cast<std::size_t>(mode)];
  const Line* const line = Find(product, from, to);
  return line != nullptr && (mode == kNone || line->modes.contains(letter));
}

NodeResult Cast(DType from, DType to, RoundMode mode, std::uint64_t bits,
                bool saturation) {
  const Decoded d = DecodeAny(from, bits);
  const auto format = FloatingFormat(to);
  if (!format) return ToInteger(to, d, mode);
  NodeResult result = ToFloating(from, to, d, mode);
  if (saturation && (to == kHalf || to == kBfloat16)) {
    Saturate(*format, result);
  }
  return result;
}

NodeResult CastResult(DType from, DType to, std::uint64_t bits,
                      bool saturation) {
  if (DecodeAny(from, bits).IsNan()) return {.bits = 0, .saturated = true};
  return Cast(from, to, kRint, bits, saturation);
}

void CountCast(DType from, DType to, std::uint64_t bits,
               const NodeResult& result, isa::NumericEvents& events) {
  if (IsFloating(from)) return CountWrite(from, bits, to, result, events);
  if (!IsFloating(to)) return;
  events[isa::NumericEvent::kRounded] += result.rounded;
  events[isa::NumericEvent::kTie] += result.tie;
}

}  // namespace lanediff::oracle

#include "audit/characterize/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::character {
namespace {

using isa::DType;

constexpr std::uint64_t Ones(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

int BitsOf(DType type) { return static_cast<int>(8 * isa::SizeBytes(type)); }

/// Weight of the last bit that a type keeps of `value`, as an exponent.
int LastBit(const Format& format, double value) {
  const int exponent = value == 0 ? format.min_exponent : std::ilogb(value);
  return std::max(exponent, format.min_exponent) - (format.precision - 1);
}

std::uint64_t EncodeFinite(const Format& format, double magnitude) {
  const int last = LastBit(format, magnitude);
  const auto significand =
      static_cast<std::uint64_t>(std::ldexp(magnitude, -last));
  const std::uint64_t hidden = std::uint64_t{1} << (format.precision - 1);
  if (significand < hidden) return significand;
  const int biased = last + (format.precision - 1) - format.min_exponent + 1;
  return (static_cast<std::uint64_t>(biased) << (format.precision - 1)) |
         (significand - hidden);
}

/// `units` as a whole number.
double Whole(double units, Rounding rounding) {
  const double low = std::floor(units);
  const double rest = units - low;
  if (rest == 0) return units;
  const double high = low + 1;
  const bool low_even = std::fmod(low, 2) == 0;
  const bool negative = units < 0;
  const auto nearest = [&](double tie) {
    return rest < 0.5 ? low : rest > 0.5 ? high : tie;
  };
  switch (rounding) {
    case Rounding::kNearestEven:
      return nearest(low_even ? low : high);
    case Rounding::kNearestAway:
      return nearest(negative ? low : high);
    case Rounding::kNearestToZero:
      return nearest(negative ? high : low);
    case Rounding::kNearestUp:
      return nearest(high);
    case Rounding::kNearestDown:
      return nearest(low);
    case Rounding::kTowardZero:
      return negative ? high : low;
    case Rounding::kAwayFromZero:
      return negative ? low : high;
    case Rounding::kUp:
      return high;
    case Rounding::kDown:
      return low;
    case Rounding::kToOdd:
      return low_even ? high : low;
  }
  return units;
}

}  // namespace

Format FormatOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {11, -14, 15};
    case DType::kBfloat16:
      return {8, -126, 127};
    case DType::kFloat:
      return {24, -126, 127};
    default:
      return {53, -1022, 1023};
  }
}

double LargestOf(DType type) {
  const Format format = FormatOf(type);
  return std::ldexp(2 - std::ldexp(1.0, 1 - format.precision),
                    format.max_exponent);
}

std::uint64_t Encode(DType type, double value) {
  const int bits = BitsOf(type);
  if (!IsFloating(type)) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) &
           Ones(bits);
  }
  const Format format = FormatOf(type);
  const std::uint64_t sign = std::uint64_t{std::signbit(value)} << (bits - 1);
  const std::uint64_t infinity = Ones(bits - format.precision)
                                 << (format.precision - 1);
  if (std::isnan(value)) {
    return infinity | std::uint64_t{1} << (format.precision - 2);
  }
  if (std::isinf(value)) return sign | infinity;
  return sign | EncodeFinite(format, std::fabs(value));
}

double Decode(DType type, std::uint64_t bits) {
  const int width = BitsOf(type);
  const bool negative = (bits >> (width - 1) & 1) != 0;
  if (!IsFloating(type)) {
    const bool is_signed = type == DType::kInt8 || type == DType::kInt16 ||
                           type == DType::kInt32 || type == DType::kInt64;
    if (!is_signed || !negative) return static_cast<double>(bits);
    return static_cast<double>(static_cast<std::int64_t>(bits | ~Ones(width)));
  }
  const Format format = FormatOf(type);
  const int fraction = format.precision - 1;
  const std::uint64_t biased = bits >> fraction & Ones(width - 1 - fraction);
  const std::uint64_t low = bits & Ones(fraction);
  double magnitude = 0;
  if (biased == Ones(width - 1 - fraction)) {
    magnitude = low != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  } else {
    const std::uint64_t hidden = biased == 0 ? 0 : std::uint64_t{1} << fraction;
    magnitude = std::ldexp(static_cast<double>(hidden | low),
                           std::max<int>(static_cast<int>(biased), 1) - 1 +
                               format.min_exponent - fraction);
  }
  return negative ? -magnitude : magnitude;
}

double RoundTo(DType type, double exact, Rounding rounding) {
  if (exact == 0 || !std::isfinite(exact)) return exact;
  const int last = LastBit(FormatOf(type), exact);
  return std::ldexp(Whole(std::ldexp(exact, -last), rounding), last);
}

bool Same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "nan";
  return fmt::format("{}", value);
}

}  // namespace lanediff::character

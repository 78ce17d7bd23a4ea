#include "audit/characterize/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanediff::character {
namespace {

using isa::DType;

/// Weight of the last bit that a type keeps of `value`, as an exponent.
int LastBit(const Format& format, double value) {
  const int exponent = value == 0 ? format.min_exponent : std::ilogb(value);
  return std::max(exponent, format.min_exponent) - (format.precision - 1);
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

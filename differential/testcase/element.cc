#include "differential/testcase/element.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "differential/testcase/json.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::WidthMask;

/// A binary interchange format.
struct Format {
  int precision;     // bits of the significand, the hidden one included
  int min_exponent;  // of the smallest normal number, 2^min_exponent
  int width;

  int fraction_bits() const { return precision - 1; }
  std::uint64_t infinity() const {
    const int exponent_bits = width - precision;
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits();
  }
  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  double max() const {
    return std::ldexp(2 - std::ldexp(1.0, 1 - precision), 1 - min_exponent);
  }
};

Format FormatOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {11, -14, 16};
    case DType::kBfloat16:
      return {8, -126, 16};
    case DType::kFloat:
      return {24, -126, 32};
    default:
      return {53, -1022, 64};
  }
}

bool IsSigned(DType type) {
  return type == DType::kInt8 || type == DType::kInt16 ||
         type == DType::kInt32 || type == DType::kInt64;
}

int BitsOf(DType type) { return static_cast<int>(isa::SizeBytes(type)) * 8; }

Wide Lowest(DType type) {
  return IsSigned(type) ? -(Wide{1} << (BitsOf(type) - 1)) : Wide{0};
}
Wide Highest(DType type) {
  return (Wide{1} << (BitsOf(type) - (IsSigned(type) ? 1 : 0))) - 1;
}

/// Value of an integer element.
Wide IntegerValue(DType type, std::uint64_t bits) {
  Wide value = bits;
  if (value > Highest(type)) value -= Wide{1} << BitsOf(type);
  return value;
}

double ToDouble(DType type, std::uint64_t bits) {
  const Format f = FormatOf(type);
  if (f.width == 64) return std::bit_cast<double>(bits);
  const std::uint64_t magnitude = bits & (f.sign() - 1);
  const int exponent = static_cast<int>(magnitude >> f.fraction_bits());
  const auto fraction = static_cast<double>(
      magnitude & ((std::uint64_t{1} << f.fraction_bits()) - 1));
  const double hidden = exponent == 0 ? 0 : std::ldexp(1, f.fraction_bits());
  const double value =
      std::ldexp(fraction + hidden, f.min_exponent - f.fraction_bits() +
                                        (exponent == 0 ? 0 : exponent - 1));
  return (bits & f.sign()) != 0 ? -value : value;
}

/// Distance of neighbouring values of `f` around `value`.
double Quantum(const Format& f, double value) {
  const int exponent = value == 0 ? f.min_exponent : std::ilogb(value);
  return std::ldexp(1, std::max(exponent, f.min_exponent) - f.fraction_bits());
}

/// Bits of a finite double, rounded to nearest even; infinity if it overflows.
std::uint64_t NarrowDouble(const Format& f, double value) {
  if (f.width == 64) return std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = std::signbit(value) ? f.sign() : 0;
  const double quantum = Quantum(f, value);
  const double rounded = std::nearbyint(std::abs(value) / quantum) * quantum;
  if (rounded > f.max()) return sign | f.infinity();
  if (rounded == 0) return sign;
  // In units of the value's own last place, after rounding.
  const double unit = Quantum(f, rounded);
  const auto significand = static_cast<std::uint64_t>(rounded / unit);
  const int steps = std::ilogb(unit) - (f.min_exponent - f.fraction_bits());
  return sign | ((static_cast<std::uint64_t>(steps) << f.fraction_bits()) +
                 significand);
}

bool IsTie(const Format& f, double value) {
  const double scaled = std::abs(value) / Quantum(f, value);
  return scaled - std::floor(scaled) == 0.5;
}

/// The number, of any length, rounded to a double in `direction`.
double ReadRounded(const std::string& number, int direction) {
  const int before = std::fegetround();
  std::fesetround(direction);
  const double value = std::strtod(number.c_str(), nullptr);
  std::fesetround(before);
  return value;
}

std::unexpected<std::string> DoesNotFit(DType type, std::string_view number) {
  if (IsFloating(type)) {
    return std::unexpected(
        fmt::format("{} overflows {}; at most ±{} is allowed", Quote(number),
                    isa::Name(type), FormatOf(type).max()));
  }
  const auto high = static_cast<std::uint64_t>(Highest(type));
  return std::unexpected(fmt::format(
      "{} does not fit {}; {} to {} is allowed", Quote(number), isa::Name(type),
      static_cast<std::int64_t>(Lowest(type)), high));
}

std::expected<std::uint64_t, std::string> FloatFromNumber(
    DType type, std::string_view number) {
  const Format f = FormatOf(type);
  const std::string text(number);
  double nearest = std::strtod(text.c_str(), nullptr);
  if (std::isinf(nearest)) return DoesNotFit(type, number);
  if (f.width != 64 && IsTie(f, nearest)) {
    // The double may have been rounded onto the tie: step back to the side on
    // which the number lies, so that it is rounded once in effect.
    const double below = ReadRounded(text, FE_DOWNWARD);
    const double above = ReadRounded(text, FE_UPWARD);
    nearest = nearest == below ? above : below;
  }
  const std::uint64_t bits = NarrowDouble(f, nearest);
  if ((bits & (f.sign() - 1)) == f.infinity()) return DoesNotFit(type, number);
  return bits;
}

std::optional<Wide> ParseInteger(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const auto magnitude = ToNumber<std::uint64_t>(digits);
  if (!magnitude) return std::nullopt;
  return negative ? -Wide{*magnitude} : Wide{*magnitude};
}

std::string FloatText(DType type, std::uint64_t bits) {
  const double value = ToDouble(type, bits);
  if (value == std::trunc(value) && std::abs(value) <= 0x1p53) {
    return fmt::format("{:.0f}", value);
  }
  // Few digits often suffice for the narrow types.
  for (int digits = 1; digits <= 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    const auto back = FloatFromNumber(type, text);
    if (back && *back == bits) return text;
  }
  return fmt::format("{}", value);
}

}  // namespace

bool IsFloating(DType type) {
  return type == DType::kHalf || type == DType::kBfloat16 ||
         type == DType::kFloat || type == DType::kDouble;
}

int FractionBits(DType type) { return FormatOf(type).fraction_bits(); }

std::expected<std::uint64_t, std::string> ElementFromNumber(
    DType type, std::string_view number) {
  if (IsFloating(type)) return FloatFromNumber(type, number);
  const auto value = ParseInteger(number);
  if (!value) {
    return std::unexpected(fmt::format("{} is no 64-bit integer; {} takes {}",
                                       Quote(number), isa::Name(type),
                                       "integers"));
  }
  if (*value < Lowest(type) || *value > Highest(type)) {
    return DoesNotFit(type, number);
  }
  return static_cast<std::uint64_t>(*value) & WidthMask(type);
}

std::expected<std::uint64_t, std::string> ElementFromString(
    DType type, std::string_view text) {
  if (text.starts_with("0x")) {
    const auto bits = ToNumber<std::uint64_t>(text.substr(2), 16);
    if (bits && (*bits & ~WidthMask(type)) == 0) return *bits;
    return std::unexpected(
        fmt::format("\"{}\" is not the bits of a {}; 1 to {} "
                    "significant hex digits are allowed",
                    Quote(text), isa::Name(type), isa::SizeBytes(type) * 2));
  }
  if (IsFloating(type)) {
    const Format f = FormatOf(type);
    if (text == "inf") return f.infinity();
    if (text == "-inf") return f.sign() | f.infinity();
    if (text == "nan") {
      return f.infinity() | std::uint64_t{1} << (f.fraction_bits() - 1);
    }
    if (text == "-0") return f.sign();
  } else if (BitsOf(type) == 64 && ParseInteger(text)) {
    return ElementFromNumber(type, text);
  }
  return std::unexpected(
      fmt::format("\"{}\" is no value of {}; \"0x…\"{} is allowed", Quote(text),
                  isa::Name(type),
                  IsFloating(type) ? ", \"inf\", \"-inf\", \"nan\" or \"-0\""
                  : BitsOf(type) == 64 ? " or digits"
                                       : ""));
}

ElementText ElementToText(DType type, std::uint64_t bits) {
  if (!IsFloating(type)) {
    const Wide value = IntegerValue(type, bits);
    const bool exact_in_double =
        value >= -(Wide{1} << 53) && value <= Wide{1} << 53;
    return {value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                      : std::to_string(static_cast<std::uint64_t>(value)),
            !exact_in_double};
  }
  const Format f = FormatOf(type);
  const std::uint64_t magnitude = bits & (f.sign() - 1);
  const bool negative = bits != magnitude;
  if (magnitude == f.infinity()) return {negative ? "-inf" : "inf", true};
  if (magnitude > f.infinity()) {
    const auto canonical = ElementFromString(type, "nan");
    if (bits == *canonical) return {"nan", true};
    return {fmt::format("0x{:0{}x}", bits, f.width / 4), true};
  }
  if (magnitude == 0) return {negative ? "-0" : "0", negative};
  return {FloatText(type, bits), false};
}

double ElementToDouble(DType type, std::uint64_t bits) {
  if (!IsFloating(type)) return static_cast<double>(IntegerValue(type, bits));
  const Format f = FormatOf(type);
  const std::uint64_t magnitude = bits & (f.sign() - 1);
  if (magnitude < f.infinity()) return ToDouble(type, bits);
  const double special = magnitude == f.infinity()
                             ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
  return (bits & f.sign()) != 0 ? -special : special;
}

std::uint64_t ElementFromDouble(DType type, double value) {
  if (!IsFloating(type)) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) &
           WidthMask(type);
  }
  const Format f = FormatOf(type);
  if (std::isnan(value)) {
    return f.infinity() | std::uint64_t{1} << (f.fraction_bits() - 1);
  }
  if (std::isinf(value)) {
    return (std::signbit(value) ? f.sign() : 0) | f.infinity();
  }
  return NarrowDouble(f, value);
}

std::string DescribeElement(DType type, std::uint64_t bits) {
  const std::string hex =
      fmt::format("0x{:0{}x}", bits, isa::SizeBytes(type) * 2);
  if (IsNan(type, bits)) return fmt::format("nan ({})", hex);
  return fmt::format("{} ({})", ElementToText(type, bits).text, hex);
}

bool IsNan(DType type, std::uint64_t bits) {
  if (!IsFloating(type)) return false;
  const Format f = FormatOf(type);
  return (bits & (f.sign() - 1)) > f.infinity();
}

bool SameElement(DType type, std::uint64_t a, std::uint64_t b) {
  return a == b || (IsNan(type, a) && IsNan(type, b));
}

std::uint64_t UlpDistance(DType type, std::uint64_t a, std::uint64_t b) {
  if (IsNan(type, a) || IsNan(type, b)) return 0;
  const auto place = [type](std::uint64_t bits) -> Wide {
    if (!IsFloating(type)) return IntegerValue(type, bits);
    const std::uint64_t sign = FormatOf(type).sign();
    const auto magnitude = static_cast<Wide>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
  };
  const Wide distance = place(a) - place(b);
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
}

std::uint64_t LoadElement(DType type, std::span<const std::uint8_t> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(),
              static_cast<std::size_t>(isa::SizeBytes(type)));
  return bits;
}

void AppendElement(DType type, std::uint64_t bits,
                   std::vector<std::uint8_t>& out) {
  std::array<std::uint8_t, sizeof(bits)> bytes;
  std::memcpy(bytes.data(), &bits, sizeof(bits));
  out.insert(out.end(), bytes.begin(), bytes.begin() + isa::SizeBytes(type));
}

}  // namespace lanediff

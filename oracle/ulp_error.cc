#include "oracle/ulp_error.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

using boost::multiprecision::cpp_int;

/// numerator / 10^places.
struct Fraction {
  cpp_int numerator;
  unsigned places = 0;
};

std::optional<Fraction> ParseDecimal(std::string_view text) {
  Fraction fraction;
  std::string digits;
  const bool negative = text.starts_with('-');
  bool behind_point = false;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    digits += c;
    fraction.places += behind_point ? 1 : 0;
  }
  if (digits.empty()) return std::nullopt;
  // What begins with 0 would be read as octal.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  fraction.numerator = cpp_int(digits);
  if (negative) fraction.numerator = -fraction.numerator;
  return fraction;
}

cpp_int TenTo(unsigned places) { return pow(cpp_int(10), places); }

/// The exponent of the spacing at |fraction|.
int SpacingAt(Format format, const Fraction& fraction) {
  const cpp_int ten = TenTo(fraction.places);
  const cpp_int magnitude = abs(fraction.numerator);
  const int least = format.QuantumExponent();
  const int most = least + format.TopExponent() - 2;
  int exponent = least;
  // |x| < 2^(exponent + precision) in the binade with this spacing.
  for (; exponent < most; ++exponent) {
    const int end = exponent + format.precision;
    const bool below = end >= 0
                           ? magnitude < (ten << static_cast<unsigned>(end))
                           : (magnitude << static_cast<unsigned>(-end)) < ten;
    if (below) break;
  }
  return exponent;
}

/// numerator / denominator, which is positive, with a sign.
std::string Text(const cpp_int& numerator, const cpp_int& denominator) {
  constexpr unsigned kPlaces = 6;
  if (numerator == 0) return "0";
  const cpp_int scaled = abs(numerator) * TenTo(kPlaces);
  const cpp_int kept = scaled / denominator;
  const bool cut = scaled % denominator != 0;
  std::string digits = kept.str();
  if (digits.size() <= kPlaces) {
    digits.insert(0, kPlaces + 1 - digits.size(), '0');
  }
  digits.insert(digits.size() - kPlaces, ".");
  if (!cut) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (numerator < 0 ? "-" : "+") + digits + (cut ? "…" : "");
}

}  // namespace

std::optional<std::string> UlpError(isa::DType type, std::string_view exact,
                                    std::uint64_t bits) {
  const auto fraction = ParseDecimal(exact);
  if (!fraction) return std::nullopt;
  const cpp_int ten = TenTo(fraction->places);
  if (type == isa::DType::kInt16 || type == isa::DType::kInt32) {
    return Text(cpp_int(SignedValue(type, bits)) * ten - fraction->numerator,
                ten);
  }
  if (!IsFloating(type)) return std::nullopt;
  const Format format = FormatOf(type);
  const Decoded value = Decode(format, bits);
  if (value.kind != Decoded::Kind::kFinite) return std::nullopt;
  // All in quanta: value · 2^-quantum is an integer, and so is the spacing.
  const int quantum = format.QuantumExponent();
  cpp_int written = cpp_int(value.significand)
                    << static_cast<unsigned>(value.exponent - quantum);
  if (value.negative) written = -written;
  const cpp_int quanta = fraction->numerator << static_cast<unsigned>(-quantum);
  const auto spacing =
      static_cast<unsigned>(SpacingAt(format, *fraction) - quantum);
  return Text(written * ten - quanta, ten << spacing);
}

}  // namespace lanediff::oracle

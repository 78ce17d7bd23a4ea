#include "oracle/exact_text.h"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

// Text is not on the hot path and products have no bound here, so these
// integers grow as they need to.
using boost::multiprecision::cpp_int;

/// `integer` · 2^exponent in decimal, for any exponent.
std::string Decimal(const cpp_int& integer, int exponent) {
  const std::string sign = integer < 0 ? "-" : "";
  const cpp_int magnitude = abs(integer);
  if (exponent >= 0) {
    return sign + cpp_int(magnitude << static_cast<unsigned>(exponent)).str();
  }
  // n / 2^k = n · 5^k / 10^k: the digits of n · 5^k, k of them after the point.
  const auto places = static_cast<unsigned>(-exponent);
  std::string digits = cpp_int(magnitude * pow(cpp_int(5), places)).str();
  if (digits.size() <= places) {
    digits.insert(0, places + 1 - digits.size(), '0');
  }
  digits.insert(digits.size() - places, ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return sign + digits;
}

cpp_int Signed(const Decoded& d) {
  const cpp_int significand = d.significand;
  return d.negative ? cpp_int(-significand) : significand;
}

/// What the operands other than finite ones determine of a sum or product.
struct Specials {
  bool nan = false;
  bool positive_infinity = false;
  bool negative_infinity = false;
  bool zero = false;
  bool odd_signs = false;  ///< an odd number of operands is negative
};

Specials SpecialsOf(Format format, std::span<const std::uint64_t> values) {
  Specials s;
  for (std::uint64_t bits : values) {
    const Decoded d = Decode(format, bits);
    s.nan |= d.IsNan();
    s.positive_infinity |= d.IsInfinite() && !d.negative;
    s.negative_infinity |= d.IsInfinite() && d.negative;
    s.zero |= d.kind == Decoded::Kind::kFinite && d.significand == 0;
    s.odd_signs ^= d.negative;
  }
  return s;
}

}  // namespace

std::string ExactSumText(isa::DType type,
                         std::span<const std::uint64_t> values) {
  const Format format = FormatOf(type);
  const Specials s = SpecialsOf(format, values);
  if (s.nan || (s.positive_infinity && s.negative_infinity)) return "nan";
  if (s.positive_infinity) return "inf";
  if (s.negative_infinity) return "-inf";

  const int unit = format.QuantumExponent();
  cpp_int sum = 0;
  for (std::uint64_t bits : values) {
    const Decoded d = Decode(format, bits);
    sum += Signed(d) << static_cast<unsigned>(d.exponent - unit);
  }
  return Decimal(sum, unit);
}

std::string ExactProductAndTerm(isa::DType type, std::uint64_t left,
                                std::uint64_t right, std::uint64_t term) {
  const Format format = FormatOf(type);
  const std::string product = ExactProductText(type, std::array{left, right});
  const Decoded c = Decode(format, term);
  const bool infinite = product.ends_with("inf");
  if (product == "nan" || c.IsNan()) return "nan";
  if (infinite && c.IsInfinite() && product.starts_with('-') != c.negative) {
    return "nan";
  }
  if (infinite) return product;
  if (c.IsInfinite()) return c.negative ? "-inf" : "inf";
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  const int unit = 2 * format.QuantumExponent();
  const cpp_int sum =
      ((Signed(a) * Signed(b))
       << static_cast<unsigned>(a.exponent + b.exponent - unit)) +
      (Signed(c) << static_cast<unsigned>(c.exponent - unit));
  return Decimal(sum, unit);
}

std::string ExactProductText(isa::DType type,
                             std::span<const std::uint64_t> values) {
  if (!IsFloating(type)) {
    cpp_int product = 1;
    for (std::uint64_t bits : values) product *= SignedValue(type, bits);
    return product.str();
  }
  const Format format = FormatOf(type);
  const Specials s = SpecialsOf(format, values);
  const bool infinite = s.positive_infinity || s.negative_infinity;
  if (s.nan || (infinite && s.zero)) return "nan";
  if (infinite) return s.odd_signs ? "-inf" : "inf";

  cpp_int product = 1;
  int exponent = 0;
  for (std::uint64_t bits : values) {
    const Decoded d = Decode(format, bits);
    product *= Signed(d);
    exponent += d.exponent;
  }
  return Decimal(product, exponent);
}

}  // namespace lanediff::oracle

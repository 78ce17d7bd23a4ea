#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanediff::diff {

/// An exact decimal number, digits · 10^exponent. For the numbers of case
/// files, which must be rounded once from their exact value.
class Decimal {
 public:
  /// A number in JSON spelling; nothing if it has more than `kMaxDigits` digits
  /// or an exponent beyond ±`kMaxExponent`.
  static std::optional<Decimal> Parse(std::string_view number);
  /// The exact value of a finite double.
  static Decimal FromDouble(double value);

  static constexpr std::size_t kMaxDigits = 1200;
  static constexpr std::int64_t kMaxExponent = 2000;

  Decimal Times(std::int64_t factor) const;
  Decimal Plus(const Decimal& other) const;
  std::strong_ordering Compare(const Decimal& other) const;
  /// In JSON spelling, with an exponent.
  std::string ToString() const;

 private:
  bool negative_ = false;
  std::string digits_ = "0";  // no leading zeros but for zero itself
  std::int64_t exponent_ = 0;

  void Align(std::int64_t exponent);
  void Strip();
};

}  // namespace lanediff::diff

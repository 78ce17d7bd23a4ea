#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanediff {

__extension__ using Wide = __int128;

/// An exact decimal number, digits · 10^exponent. For the ramps of case files,
/// whose elements are rounded once from their exact value.
class Decimal {
 public:
  /// A number in JSON spelling; nothing if it has more than `kMaxDigits` digits
  /// between its first and its last that is not 0, or if the first of them
  /// stands more than `kMaxExponent` places from the point. The zeros and the
  /// exponent that it is spelt with may have any length.
  static std::optional<Decimal> Parse(std::string_view number);

  static constexpr std::size_t kMaxDigits = 1200;
  /// Beyond it is what no floating type holds, and what makes no difference.
  static constexpr std::int64_t kMaxExponent = 2000;

  Decimal Times(std::uint32_t factor) const;
  Decimal Plus(const Decimal& other) const;
  /// In JSON spelling, with an exponent.
  std::string ToString() const;

  bool IsZero() const { return digits_ == "0"; }
  /// Of the last digit that is not 0; 0 of zero.
  std::int64_t exponent() const { return exponent_; }
  /// The least n with |this| < 10^n; 0 of zero.
  std::int64_t magnitude() const {
    return IsZero() ? 0 : exponent_ + static_cast<std::int64_t>(digits_.size());
  }
  /// ⌊this / 10^exponent⌋, which has at most 37 digits.
  Wide FloorIn(std::int64_t exponent) const;

  bool operator==(const Decimal&) const = default;

 private:
  bool negative_ = false;
  std::string digits_ = "0";  // neither begins nor ends with 0, unless it is 0
  std::int64_t exponent_ = 0;

  void Align(std::int64_t exponent);
  void Strip();
};

}  // namespace lanediff

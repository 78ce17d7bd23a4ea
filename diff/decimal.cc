#include "diff/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lanediff::diff {
namespace {

std::strong_ordering CompareDigits(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::string AddDigits(const std::string& a, const std::string& b) {
  std::string sum;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    const int x = i < a.size() ? a[a.size() - 1 - i] - '0' : 0;
    const int y = i < b.size() ? b[b.size() - 1 - i] - '0' : 0;
    sum += static_cast<char>('0' + (x + y + carry) % 10);
    carry = (x + y + carry) / 10;
  }
  std::ranges::reverse(sum);
  return sum;
}

/// a − b, which must not be negative.
std::string SubtractDigits(const std::string& a, const std::string& b) {
  std::string difference;
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int y = i < b.size() ? b[b.size() - 1 - i] - '0' : 0;
    const int d = a[a.size() - 1 - i] - '0' - y - borrow;
    borrow = d < 0 ? 1 : 0;
    difference += static_cast<char>('0' + d + 10 * borrow);
  }
  std::ranges::reverse(difference);
  return difference;
}

}  // namespace

std::optional<Decimal> Decimal::Parse(std::string_view number) {
  Decimal d;
  if (number.starts_with('-')) {
    d.negative_ = true;
    number.remove_prefix(1);
  }
  if (const auto e = number.find_first_of("eE"); e != number.npos) {
    std::string_view exponent = number.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto [end, error] = std::from_chars(
        exponent.data(), exponent.data() + exponent.size(), d.exponent_);
    if (error != std::errc{} || std::abs(d.exponent_) > kMaxExponent) {
      return std::nullopt;
    }
    number = number.substr(0, e);
  }
  if (number.size() > kMaxDigits) return std::nullopt;
  d.digits_.clear();
  if (const auto point = number.find('.'); point != number.npos) {
    d.exponent_ -= static_cast<std::int64_t>(number.size() - point - 1);
    d.digits_ = number.substr(0, point);
    number.remove_prefix(point + 1);
  }
  d.digits_ += number;
  d.Strip();
  return d;
}

Decimal Decimal::FromDouble(double value) {
  // 767 significant digits hold every double exactly.
  return *Parse(fmt::format("{:.770e}", value));
}

Decimal Decimal::Times(std::int64_t factor) const {
  Decimal product;
  product.exponent_ = exponent_;
  product.negative_ = negative_ != (factor < 0);
  std::string digits = std::to_string(factor);
  if (factor < 0) digits.erase(0, 1);
  std::string row = digits_;  // this · 10^(place of the factor's digit)
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    for (char n = '0'; n < *digit; ++n) {
      product.digits_ = AddDigits(product.digits_, row);
    }
    row += '0';
  }
  product.Strip();
  return product;
}

Decimal Decimal::Plus(const Decimal& other) const {
  Decimal a = *this;
  Decimal b = other;
  const std::int64_t exponent = std::min(a.exponent_, b.exponent_);
  a.Align(exponent);
  b.Align(exponent);
  Decimal sum;
  sum.exponent_ = exponent;
  if (a.negative_ == b.negative_) {
    sum.negative_ = a.negative_;
    sum.digits_ = AddDigits(a.digits_, b.digits_);
  } else {
    if (CompareDigits(a.digits_, b.digits_) < 0) std::swap(a, b);
    sum.negative_ = a.negative_;
    sum.digits_ = SubtractDigits(a.digits_, b.digits_);
  }
  sum.Strip();
  if (sum.digits_ == "0") sum.negative_ = negative_ && other.negative_;
  return sum;
}

std::strong_ordering Decimal::Compare(const Decimal& other) const {
  Decimal minus = other;
  minus.negative_ = !minus.negative_;
  const Decimal difference = Plus(minus);
  if (difference.digits_ == "0") return std::strong_ordering::equal;
  return difference.negative_ ? std::strong_ordering::less
                              : std::strong_ordering::greater;
}

std::string Decimal::ToString() const {
  return fmt::format("{}{}e{}", negative_ ? "-" : "", digits_, exponent_);
}

void Decimal::Align(std::int64_t exponent) {
  digits_.append(static_cast<std::size_t>(exponent_ - exponent), '0');
  exponent_ = exponent;
  if (digits_.find_first_not_of('0') == std::string::npos) digits_ = "0";
}

void Decimal::Strip() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  if (digits_.empty()) {
    digits_ = "0";
    exponent_ = 0;
  }
}

}  // namespace lanediff::diff

#include "differential/testcase/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lanediff {
namespace {

std::strong_ordering CompareDigits(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

/// a + sign · b, digit by digit: `a` has at least as many digits, and the
/// result is not negative.
std::string Combined(std::string a, const std::string& b, int sign) {
  int carry = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    if (i > b.size() && carry == 0) return a;
    char& digit = a[a.size() - i];
    const int sum = digit - '0' + carry +
                    (i <= b.size() ? sign * (b[b.size() - i] - '0') : 0);
    carry = sum >= 10 ? 1 : sum < 0 ? -1 : 0;
    digit = static_cast<char>('0' + sum - 10 * carry);
  }
  return carry == 0 ? a : '1' + a;
}

}  // namespace

std::optional<Decimal> Decimal::Parse(std::string_view number) {
  Decimal d;
  if (number.starts_with('-')) {
    d.negative_ = true;
    number.remove_prefix(1);
  }
  std::string_view exponent = "0";
  if (const auto e = number.find_first_of("eE"); e != number.npos) {
    exponent = number.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    number = number.substr(0, e);
  }
  const auto point = std::min(number.find('.'), number.size());
  d.digits_ = number.substr(0, point);
  if (point < number.size()) {
    d.digits_ += number.substr(point + 1);
    d.exponent_ = -static_cast<std::int64_t>(number.size() - point - 1);
  }
  d.Strip();
  if (d.IsZero()) return d;
  if (d.digits_.size() > kMaxDigits) return std::nullopt;
  std::int64_t shift = 0;
  const auto [end, error] = std::from_chars(
      exponent.data(), exponent.data() + exponent.size(), shift);
  // No text is so long that its zeros would bring back a larger one.
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  if (error != std::errc{} || shift < -kFar || shift > kFar) {
    return std::nullopt;
  }
  d.exponent_ += shift;
  if (d.magnitude() < -kMaxExponent || d.magnitude() > kMaxExponent) {
    return std::nullopt;
  }
  return d;
}

Decimal Decimal::Times(std::uint32_t factor) const {
  Decimal product = *this;
  std::uint64_t carry = 0;
  for (auto digit = product.digits_.rbegin(); digit != product.digits_.rend();
       ++digit) {
    carry += static_cast<std::uint64_t>(*digit - '0') * factor;
    *digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  if (carry != 0) product.digits_.insert(0, std::to_string(carry));
  product.Strip();
  return product;
}

Decimal Decimal::Plus(const Decimal& other) const {
  Decimal a = *this;
  Decimal b = other;
  if (a.IsZero()) a.exponent_ = b.exponent_;
  if (b.IsZero()) b.exponent_ = a.exponent_;
  const std::int64_t exponent = std::min(a.exponent_, b.exponent_);
  a.Align(exponent);
  b.Align(exponent);
  Decimal sum;
  sum.exponent_ = exponent;
  if (CompareDigits(a.digits_, b.digits_) < 0) std::swap(a, b);
  sum.negative_ = a.negative_;
  sum.digits_ = Combined(std::move(a.digits_), b.digits_,
                         a.negative_ == b.negative_ ? 1 : -1);
  sum.Strip();
  if (sum.IsZero()) sum.negative_ = negative_ && other.negative_;
  return sum;
}

std::string Decimal::ToString() const {
  return fmt::format("{}{}e{}", negative_ ? "-" : "", digits_, exponent_);
}

Wide Decimal::FloorIn(std::int64_t exponent) const {
  const std::int64_t kept = magnitude() - exponent;
  const bool exact = IsZero() || exponent_ >= exponent;
  Wide value = 0;
  for (std::int64_t i = 0; !IsZero() && i < kept; ++i) {
    const auto digit = static_cast<std::size_t>(i);
    value = value * 10 + (digit < digits_.size() ? digits_[digit] - '0' : 0);
  }
  if (!negative_) return value;
  return exact ? -value : -value - 1;
}

void Decimal::Align(std::int64_t exponent) {
  if (IsZero()) return;
  digits_.append(static_cast<std::size_t>(exponent_ - exponent), '0');
  exponent_ = exponent;
}

void Decimal::Strip() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  if (digits_.empty()) {
    digits_ = "0";
    exponent_ = 0;
    return;
  }
  const std::size_t size = digits_.find_last_not_of('0') + 1;
  exponent_ += static_cast<std::int64_t>(digits_.size() - size);
  digits_.resize(size);
}

}  // namespace lanediff

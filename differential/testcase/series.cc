#include "differential/testcase/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "differential/testcase/case_error.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

/// Digits of a number between its first and its last that is not 0.
constexpr std::size_t kMaxDigits = 1200;
/// How far its first one may stand from the point. Beyond it is what no
/// floating type holds, and what makes no difference.
constexpr std::int64_t kMaxExponent = 2000;
/// So many that the sum of a number and of 2³⁰ times another is still a `Wide`.
constexpr std::int64_t kDigitsInUnits = 28;

std::int64_t SizeOf(isa::DType type) { return isa::SizeBytes(type); }

/// An exact decimal number, digits · 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  ///< neither begins nor ends with 0; empty: zero
  std::int64_t exponent = 0;

  /// The least n with |this| < 10^n; 0 of zero.
  std::int64_t magnitude() const { return exponent + std::ssize(digits); }
  /// How often 10^place is in it, from -9 to 9.
  int DigitAt(std::int64_t place) const {
    const std::int64_t i = magnitude() - 1 - place;
    if (i < 0 || i >= std::ssize(digits)) return 0;
    const int digit = digits[static_cast<std::size_t>(i)] - '0';
    return negative ? -digit : digit;
  }
  void Strip() {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    const std::size_t size = digits.find_last_not_of('0') + 1;
    exponent += static_cast<std::int64_t>(digits.size() - size);
    digits.resize(size);
    if (digits.empty()) exponent = 0;
  }
  /// In JSON spelling.
  std::string Text() const {
    return fmt::format("{}{}e{}", negative ? "-" : "",
                       digits.empty() ? "0" : digits, exponent);
  }
};

/// A number in JSON spelling; nothing beyond the limits. The zeros and the
/// exponent that it is spelt with may have any length.
std::optional<Decimal> ParseDecimal(std::string_view number) {
  Decimal d;
  d.negative = number.starts_with('-');
  if (d.negative) number.remove_prefix(1);
  std::string_view exponent = "0";
  if (const auto e = number.find_first_of("eE"); e != number.npos) {
    exponent = number.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    number = number.substr(0, e);
  }
  const auto point = std::min(number.find('.'), number.size());
  d.digits = number.substr(0, point);
  if (point < number.size()) {
    d.digits += number.substr(point + 1);
    d.exponent = -static_cast<std::int64_t>(number.size() - point - 1);
  }
  d.Strip();
  if (d.digits.empty()) return d;
  // No text is so long that its zeros would bring back a larger one.
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  const auto shift = ToNumber<std::int64_t>(exponent);
  if (d.digits.size() > kMaxDigits || !shift || *shift < -kFar ||
      *shift > kFar) {
    return std::nullopt;
  }
  d.exponent += *shift;
  if (std::abs(d.magnitude()) > kMaxExponent) return std::nullopt;
  return d;
}

/// ⌊d / 10^unit⌋, which has at most 37 digits.
Wide FloorIn(const Decimal& d, std::int64_t unit) {
  Wide value = 0;
  for (std::int64_t place = d.magnitude(); place-- > unit;) {
    value = value * 10 + d.DigitAt(place);
  }
  const bool cut = !d.digits.empty() && d.exponent < unit;
  return d.negative && cut ? value - 1 : value;
}

/// from + i · step, in JSON spelling; i is at most `kMaxCount`.
std::string Sum(Decimal from, Decimal step, std::int64_t i) {
  constexpr std::int64_t kCarryPlaces = 12;
  const std::int64_t low = std::min(from.exponent, step.exponent);
  const std::int64_t high =
      std::max(from.magnitude(), step.magnitude()) + kCarryPlaces;
  Decimal sum{.negative = from.negative && step.negative,
              .digits = {},
              .exponent = low};
  std::int64_t carry = 0;
  for (std::int64_t place = low; place < high; ++place) {
    carry += from.DigitAt(place) + i * step.DigitAt(place);
    const std::int64_t digit = (carry % 10 + 10) % 10;
    sum.digits += static_cast<char>('0' + digit);
    carry = (carry - digit) / 10;
  }
  if (carry < 0) {
    from.negative = !from.negative;
    step.negative = !step.negative;
    return "-" + Sum(std::move(from), std::move(step), i);
  }
  std::ranges::reverse(sum.digits);
  sum.Strip();
  if (!sum.digits.empty()) sum.negative = false;
  return sum.Text();
}

bool IsInteger(std::string_view number) {
  return number.find_first_of(".eE") == number.npos;
}

void Store(std::uint64_t bits, std::size_t size, std::size_t count,
           std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i, out += size) {
    std::memcpy(out, &bits, size);
  }
}

/// units · 10^unit, rounded once, where both are exact as doubles.
std::optional<double> NearestDouble(Wide units, std::int64_t unit) {
  constexpr Wide kExact = Wide{1} << 53;
  constexpr std::array<double, 23> kPowers = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const auto places = static_cast<std::size_t>(unit < 0 ? -unit : unit);
  if (units > kExact || units < -kExact || places >= kPowers.size()) {
    return std::nullopt;
  }
  const auto value = static_cast<double>(units);
  return unit < 0 ? value / kPowers[places] : value * kPowers[places];
}

/// The element that units · 10^unit is rounded to, of the types of which a ramp
/// may have very many; none where its nearest double is ambiguous.
std::optional<std::uint64_t> Directly(isa::DType type, Wide units,
                                      std::int64_t unit) {
  if (type != isa::DType::kFloat && type != isa::DType::kDouble) {
    return std::nullopt;
  }
  const auto value = NearestDouble(units, unit);
  if (!value) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(*value);
  if (type == isa::DType::kDouble) return bits;
  // On a tie of floats it may have been rounded before, and of subnormal ones
  // the ties lie elsewhere.
  constexpr std::uint64_t kCut = (std::uint64_t{1} << 29) - 1;
  const double size = std::abs(*value);
  const bool may_be_tie = unit != 0 && (bits & kCut) == kCut / 2 + 1;
  if (may_be_tie || size < FLT_MIN || size > FLT_MAX) {
    return std::nullopt;
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(*value));
}

}  // namespace

Series Series::Run(isa::DType type, std::uint64_t bits, std::int64_t count) {
  Series run(type, count);
  run.first_bits_ = bits;
  return run;
}

std::expected<Series, std::string> Series::Ramp(isa::DType type,
                                                std::string_view from,
                                                std::string_view step,
                                                std::int64_t count) {
  Series ramp(type, count);
  ramp.from_ = from;
  ramp.step_ = step;
  if (count == 0) return ramp;
  const auto first = ElementFromNumber(type, from);
  if (!first) return std::unexpected(first.error());
  ramp.first_bits_ = *first;
  if (count == 1) return ramp;
  const auto exact_from = ParseDecimal(from);
  const auto exact_step = ParseDecimal(step);
  if (!IsFloating(type) &&
      (!IsInteger(step) || !exact_step || exact_step->magnitude() > 20)) {
    return std::unexpected(ElementFromNumber(type, step).error());
  }
  if (!exact_from || !exact_step) {
    return std::unexpected(fmt::format(
        "a ramp's numbers have at most {} digits, and are 0 or between 1e-{} "
        "and 1e{}",
        kMaxDigits, kMaxExponent, kMaxExponent));
  }
  ramp.exact_from_ = exact_from->Text();
  ramp.exact_step_ = exact_step->Text();
  const Decimal& a = exact_from->digits.empty() ? *exact_step : *exact_from;
  const Decimal& b = exact_step->digits.empty() ? *exact_from : *exact_step;
  const std::int64_t low = std::min(a.exponent, b.exponent);
  const std::int64_t high = std::max(a.magnitude(), b.magnitude());
  ramp.unit_ = std::max(low, high - kDigitsInUnits);
  ramp.whole_ = ramp.unit_ == low;
  if (!IsFloating(type)) ramp.unit_ = 0;
  ramp.from_units_ = FloorIn(*exact_from, ramp.unit_);
  ramp.step_units_ = FloorIn(*exact_step, ramp.unit_);
  // Between the two ends no element is larger.
  const auto last = ramp.Element(count - 1);
  if (!last) return std::unexpected(last.error());
  return ramp;
}

std::int64_t Series::bytes() const { return count_ * SizeOf(type_); }

std::uint64_t Series::At(std::int64_t i) const {
  if (is_run() || i == 0) return first_bits_;
  if (const auto bits = Quickly(i)) return *bits;
  return *Element(i);
}

void Series::Write(std::int64_t first, std::span<std::uint8_t> out) const {
  if (out.empty()) return;
  const std::int64_t size = SizeOf(type_);
  const std::int64_t head = first / size;
  const std::int64_t tail =
      (first + static_cast<std::int64_t>(out.size()) - 1) / size;
  if (first % size == 0 && static_cast<std::int64_t>(out.size()) % size == 0) {
    Fill(head, At(head), tail, At(tail), out);
    return;
  }
  // Cut through elements: write whole ones and take what was requested.
  std::vector<std::uint8_t> whole(
      static_cast<std::size_t>((tail - head + 1) * size));
  Fill(head, At(head), tail, At(tail), whole);
  std::memcpy(out.data(), whole.data() + first % size, out.size());
}

Series Series::First(std::int64_t count) const {
  Series part = *this;
  part.count_ = count;
  return part;
}

bool Series::operator==(const Series& other) const {
  return type_ == other.type_ && count_ == other.count_ &&
         first_bits_ == other.first_bits_ && from_ == other.from_ &&
         step_ == other.step_;
}

/// Elements `first` to `last`. A ramp only rises or only falls: between two
/// equal elements all are equal.
void Series::Fill(std::int64_t first, std::uint64_t first_bits,
                  std::int64_t last, std::uint64_t last_bits,
                  std::span<std::uint8_t> out) const {
  const auto size = static_cast<std::size_t>(SizeOf(type_));
  if (first_bits == last_bits) {
    Store(first_bits, size, out.size() / size, out.data());
    return;
  }
  if (last - first == 1) {
    Store(first_bits, size, 1, out.data());
    Store(last_bits, size, 1, out.data() + size);
    return;
  }
  const std::int64_t middle = first + (last - first) / 2;
  const std::uint64_t middle_bits = At(middle);
  const auto half = static_cast<std::size_t>(middle - first) * size;
  Fill(first, first_bits, middle, middle_bits, out.first(half + size));
  Fill(middle, middle_bits, last, last_bits, out.subspan(half));
}

/// The element if its leading digits determine what it is rounded to.
std::optional<std::uint64_t> Series::Quickly(std::int64_t i) const {
  const auto round = [&](Wide units) -> std::optional<std::uint64_t> {
    if (units == 0) return std::nullopt;  // its sign lies in what is cut off
    if (const auto direct = Directly(type_, units, unit_)) return direct;
    const auto bits =
        ElementFromNumber(type_, fmt::format("{}e{}", units, unit_));
    return bits ? std::optional(*bits) : std::nullopt;
  };
  if (!IsFloating(type_)) return std::nullopt;
  const Wide least = from_units_ + step_units_ * i;
  const auto low = round(least);
  if (whole_ || !low) return low;
  // Less than one unit was cut off of `from`, less than i of the steps.
  const auto high = round(least + 1 + i);
  return high == low ? low : std::nullopt;
}

std::expected<std::uint64_t, std::string> Series::Element(
    std::int64_t i) const {
  if (!IsFloating(type_)) {
    return ElementFromNumber(type_,
                             fmt::format("{}", from_units_ + step_units_ * i));
  }
  return ElementFromNumber(
      type_, Sum(*ParseDecimal(exact_from_), *ParseDecimal(exact_step_), i));
}

}  // namespace lanediff

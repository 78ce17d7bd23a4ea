#include "reports/trace/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lanediff::view {

std::string ShortDecimal(const std::string& exact) {
  constexpr std::size_t kWhole = 24;
  constexpr std::size_t kKept = 16;
  if (exact.size() <= kWhole) return exact;
  const std::string sign = exact.starts_with('-') ? "-" : "";
  const std::string number = exact.substr(sign.size());
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string digits = number;
  std::erase(digits, '.');
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return exact;
  const auto exponent =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - 1;
  digits = digits.substr(first);
  return fmt::format("{}{}.{}…e{} ({} digits)", sign, digits[0],
                     digits.substr(1, kKept - 1), exponent, digits.size());
}

std::string Counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace lanediff::view

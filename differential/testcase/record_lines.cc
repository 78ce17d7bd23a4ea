#include "differential/testcase/record_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <system_error>

namespace lanediff::record_lines {

Values ParseLines(std::string_view text) {
  Values values;
  std::istringstream lines{std::string(text)};
  for (std::string name, value; lines >> name >> value;) values[name] = value;
  return values;
}

std::string TextOf(std::uint64_t value) { return std::to_string(value); }
std::string TextOf(double value) { return fmt::format("{}", value); }

void Parse(const std::string& text, std::uint64_t& value) {
  const char* const last = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error == std::errc{} && end == last) value = number;
}

void Parse(const std::string& text, double& value) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') value = number;
}

}  // namespace lanediff::record_lines

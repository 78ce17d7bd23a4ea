#include "differential/testcase/allowed_text.h"

#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "differential/testcase/json.h"

namespace lanediff {
namespace {

/// The number that `digits` are; -1 if they are something else.
int Number(std::string_view digits) {
  int value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool IsDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = Number(text.substr(0, 4));
  const int month = Number(text.substr(5, 2));
  const int day = Number(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return false;
  return std::chrono::year_month_day(
             std::chrono::year(year),
             std::chrono::month(static_cast<unsigned>(month)),
             std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

}  // namespace

std::string NoLine(const std::string& text) {
  if (!text.empty() && text.find('\n') == std::string::npos) return "";
  return fmt::format("found \"{}\"; one line of text is allowed", Quote(text));
}

std::string NoDay(const std::string& text) {
  if (IsDay(text)) return "";
  return fmt::format(
      "found \"{}\"; a day of the calendar, YYYY-MM-DD, is allowed",
      Quote(text));
}

std::string Today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace lanediff

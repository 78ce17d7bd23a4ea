#include "tools/history/days.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>

namespace lanediff::campaign {

std::int64_t DayNumber(const std::string& date) {
  const auto number = [&](std::size_t from, std::size_t size) {
    return std::atoi(date.substr(from, size).c_str());
  };
  const std::chrono::year_month_day day{
      std::chrono::year(number(0, 4)),
      std::chrono::month(static_cast<unsigned>(number(5, 2))),
      std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return std::chrono::sys_days(day).time_since_epoch().count();
}

std::string DayText(std::int64_t number) {
  const std::chrono::year_month_day day{
      std::chrono::sys_days(std::chrono::days(number))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

std::string NextDay(const std::string& day) {
  return DayText(DayNumber(day) + 1);
}

std::vector<std::string> MissingDays(const std::vector<std::string>& dates) {
  constexpr std::size_t kFewest = 4;  // fewer show no rhythm
  std::vector<std::int64_t> days;
  for (const std::string& date : dates) days.push_back(DayNumber(date));
  days.erase(std::ranges::unique(days).begin(), days.end());
  std::vector<std::string> missing;
  if (days.size() < kFewest) return missing;
  std::map<std::int64_t, std::size_t> apart;
  for (std::size_t i = 1; i < days.size(); ++i) ++apart[days[i] - days[i - 1]];
  const std::int64_t step =
      std::ranges::max_element(apart, {}, [](const auto& one) {
        return one.second;
      })->first;
  for (std::size_t i = 1; i < days.size(); ++i) {
    for (auto day = days[i - 1] + step; day < days[i]; day += step) {
      missing.push_back(DayText(day));
    }
  }
  return missing;
}

}  // namespace lanediff::campaign

#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Days as texts, YYYY-MM-DD.
namespace lanediff::campaign {

/// Days since 1970-01-01 of a text that begins with a day.
std::int64_t DayNumber(const std::string& date);
std::string DayText(std::int64_t number);
std::string NextDay(const std::string& day);

/// The days without a run that was due, among sorted `dates`. The most frequent
/// distance of two days is the period.
std::vector<std::string> MissingDays(const std::vector<std::string>& dates);

}  // namespace lanediff::campaign

#pragma once

#include <string>
#include <string_view>

/// For lists of what is accepted for a time (differential/testcase/record.h,
/// `Allowed::check`).
namespace lanediff {

// Why a text is none, in one line; empty if it is one.
std::string NoLine(const std::string& text);
std::string NoDay(const std::string& text);

inline constexpr std::string_view kDayPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/// The day of today in UTC, YYYY-MM-DD.
std::string Today();

}  // namespace lanediff

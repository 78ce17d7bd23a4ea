#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// How pages spell numbers.
namespace lanediff::view {

/// A decimal of any length in at most about 24 characters: as it is, or with 16
/// digits, an exponent, and how many digits there are in all.
std::string ShortDecimal(const std::string& exact);

/// "3 nodes", "1 node".
std::string Counted(std::int64_t count, std::string_view what);

}  // namespace lanediff::view

#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "differential/testcase/case.h"

namespace lanediff::diff {

/// A line of the protocol has at most so many bytes, its end among them.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

/// How a program wants the contents of memories.
enum class MemoryText : unsigned char {
  kWhole,   ///< all of it in hex
  kSparse,  ///< fill, and regions in hex
};

/// `c` for small readers, as one line without its end: no runs, no ramps, no
/// values; all memories that it has, with size and bytes; operands and tiles
/// with their dtype; what may be left out is filled in. Texts of a case for
/// people and its expectation are left out. The error states that a line
/// can't be that long.
std::expected<std::string, std::string> WriteExpandedCase(const Case& c,
                                                          MemoryText memory);

}  // namespace lanediff::diff

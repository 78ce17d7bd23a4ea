#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_error.h"

/// What an outside implementation reports of itself.
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
/// with their dtype; what may be left out is filled in. Texts for people and
/// the expectation are left out. The error states that a line can't be that
/// long.
std::expected<std::string, std::string> WriteExpandedCase(const Case& c,
                                                          MemoryText memory);

inline Capabilities ModestCapabilities() {
  Capabilities can;
  can.legality = Capabilities::Legality::kNone;
  can.notes = false;
  return can;
}

struct OutsideSelf {
  std::string name;
  std::string version;
  /// Unless it states otherwise it executes whatever it is given and reports no
  /// notes.
  Capabilities can = ModestCapabilities();
  std::int64_t window = 1;  ///< requests that it takes before it answers
  MemoryText memory = MemoryText::kWhole;
  std::uint64_t plugin_flags = 0;  ///< those of a plugin
};

/// "NAME VERSION; instructions …; legality none; …".
std::string SelfLine(const OutsideSelf& self);

/// Of the first line that a program prints. The error names the place.
std::expected<OutsideSelf, CaseError> ReadHello(std::string_view line);

/// Adds a text of capabilities alone, as a plugin has it, to `self`.
std::expected<void, CaseError> ReadCapabilities(std::string_view text,
                                                OutsideSelf& self);

}  // namespace lanediff::diff

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "differential/targets/capabilities.h"
#include "differential/targets/external/expanded_case.h"
#include "differential/testcase/json.h"

/// What an outside implementation reports of itself.
namespace lanediff::diff {

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
};

/// "NAME VERSION; instructions …; legality none; …".
std::string SelfLine(const OutsideSelf& self);

/// Of the first line that a program prints. The error names the place.
std::expected<OutsideSelf, CaseError> ReadHello(std::string_view line);

/// Adds a text of capabilities alone, as a plugin has it, to `self`.
std::expected<void, CaseError> ReadCapabilities(std::string_view text,
                                                OutsideSelf& self);

}  // namespace lanediff::diff

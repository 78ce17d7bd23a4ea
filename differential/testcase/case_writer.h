#pragma once

#include <string>
#include <string_view>

#include "differential/testcase/case.h"
#include "differential/testcase/write_file.h"  // IWYU pragma: export

namespace lanediff {

/// The canonical document of `c`: the same case always gives the same bytes.
std::string WriteCase(const Case& c);

/// The outcome document of the case called `id`, or of one that it doesn't name
/// where `id` is empty; without what was not observed.
std::string WriteOutcome(const Outcome& outcome, std::string_view id);

}  // namespace lanediff

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "diff/case.h"
#include "diff/outcome.h"
#include "diff/recorded/outcome.h"

namespace lanediff::diff {

/// The canonical document of `c`: the same case always gives the same bytes.
std::string WriteCase(const Case& c);

/// The outcome document that `lanediff exec` prints.
std::string WriteOutcome(const Outcome& outcome, std::string_view target);

/// The outcome document of the case called `id`, or of one that it doesn't name
/// where `id` is empty; without what was not observed.
std::string WriteOutcome(const RecordedOutcome& recorded, std::string_view id);

/// Writes `text` to `path` by way of a temporary file beside it, so that a
/// reader sees all of it or nothing. The error is one line.
std::expected<void, std::string> WriteFile(const std::string& path,
                                           const std::string& text);

}  // namespace lanediff::diff

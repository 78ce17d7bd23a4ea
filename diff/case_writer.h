#pragma once

#include <expected>
#include <string>

#include "diff/case.h"
#include "diff/outcome.h"

namespace lanediff::diff {

/// The canonical document of `c`: the same case always gives the same bytes.
std::string WriteCase(const Case& c);

/// The outcome document that `lanediff exec` prints.
std::string WriteOutcome(const Outcome& outcome, std::string_view target);

/// Writes `text` to `path` by way of a temporary file beside it, so that a
/// reader sees all of it or nothing. The error is one line.
std::expected<void, std::string> WriteFile(const std::string& path,
                                           const std::string& text);

}  // namespace lanediff::diff

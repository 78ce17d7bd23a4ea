#pragma once

#include <expected>
#include <string_view>

#include "case/json.h"
#include "case/outcome.h"

namespace lanediff::diff {

/// Reads an outcome document of `c`. As strict as `ReadCase`, and with its
/// limits; also an error: a `case` that is another's id, a step that the
/// program doesn't have, a memory that the case doesn't have, bytes outside it.
std::expected<Outcome, CaseError> ReadOutcome(std::string_view text,
                                              const Case& c);

}  // namespace lanediff::diff

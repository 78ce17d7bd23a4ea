#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "case/case.h"
#include "diff/finding.h"
#include "diff/target.h"

namespace lanediff::diff {

/// That `side` has no outcome of `c` because it failed (`IsFailure`), in step
/// `step` where that is known.
Finding FailureFinding(const Case& c, std::string_view side,
                       std::string_view reference,
                       std::optional<std::size_t> step, const NoOutcome& none);

}  // namespace lanediff::diff

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "differential/compare/finding.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// That `side` has no outcome of `c` because it failed (`IsFailure`), in step
/// `step` where that is known.
Finding FailureFinding(const Case& c, std::string_view side,
                       std::string_view reference,
                       std::optional<std::size_t> step, const NoOutcome& none);

}  // namespace lanediff::diff

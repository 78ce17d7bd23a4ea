#pragma once

#include <optional>
#include <string>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/compare/finding.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/outcome.h"

namespace lanediff::diff {

/// How `outcome` of `side` differs from what `c` expects, as far as both state
/// it; nothing if it doesn't or if the case expects nothing.
std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side);

/// What `Examine` finds, for those who want no more
/// (differential/compare/examine.h).
Comparison CheckCase(const Case& c, const Target& target,
                     const Target& reference);

/// The outcome as an expectation, for cases that are to be kept.
Expectation ToExpectation(const Outcome& outcome);

}  // namespace lanediff::diff

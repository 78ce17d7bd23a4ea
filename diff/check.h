#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case.h"
#include "case/outcome.h"
#include "diff/compare.h"
#include "diff/finding.h"
#include "diff/target.h"

namespace lanediff::diff {

/// How `outcome` of `side` differs from what `c` expects, as far as both say
/// it; nothing if it doesn't or if the case expects nothing.
std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side);

/// What `Examine` finds, for those who want no more (diff/examine.h).
Comparison CheckCase(const Case& c, const Target& target,
                     const Target& reference);

/// The outcome as an expectation, for cases that are to be kept.
Expectation ToExpectation(const Outcome& outcome);

}  // namespace lanediff::diff

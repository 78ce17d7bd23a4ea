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

/// Runs `c` on `target` from start to end, each step on what the target itself
/// left.
Outcome RunCase(const Case& c, const Target& target);

/// How `outcome` of `side` differs from what `c` expects; nothing if it doesn't
/// or if the case expects nothing.
std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side);

/// Replays a case: both sides against each other step by step, each against the
/// expectation, and the target against itself in a second run. Where only the
/// target misses the expectation and differs from the reference, both findings
/// have one signature: it is one defect. Of a target that has recorded outcomes
/// the outcome is compared as a whole (diff/compare_recorded.h).
Comparison CheckCase(const Case& c, const Target& target,
                     const Target& reference);

/// The outcome as an expectation, for cases that are to be kept.
Expectation ToExpectation(const Outcome& outcome);

}  // namespace lanediff::diff

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/compare/finding.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// How `outcome` of `side` differs from what `c` expects, as far as both state
/// it; nothing if it doesn't or if the case expects nothing.
std::optional<Finding> CompareWithExpectation(const Case& c,
                                              const Outcome& outcome,
                                              std::string_view side);

/// The outcome as an expectation, for cases that are to be kept.
Expectation ToExpectation(const Outcome& outcome);

/// All that one look at a case on two sides gives.
struct Examination {
  Comparison comparison;  ///< with what differs from the case's expectation
  std::string target;     ///< its name
  /// What the target makes of the case, start to end. Absent where it has no
  /// outcome: `why_none` then holds the reason in one line.
  std::optional<Outcome> target_outcome;
  std::string why_none;
  std::string reference;  ///< its name
  Outcome reference_outcome;
};

/// Replays a case: both sides against each other (`CompareCase`) and each
/// against the expectation. Where only the target misses the expectation and
/// differs from the reference, both findings have one signature: it is one
/// defect.
///
/// The reference runs once. A target that goes step by step runs three times,
/// under two backgrounds and as a whole, and once more where its whole run does
/// not leave the bytes of the reference; one that answers whole cases runs
/// once.
Examination Examine(const Case& c, const Target& target,
                    const Target& reference);

/// What it finds, for those who want no more.
inline Comparison CheckCase(const Case& c, const Target& target,
                            const Target& reference) {
  return Examine(c, target, reference).comparison;
}

/// The same of the reference alone, for a target that must not be run: nothing
/// is compared.
Examination ExamineReference(const Case& c, const Target& target,
                             const Target& reference);

}  // namespace lanediff::diff

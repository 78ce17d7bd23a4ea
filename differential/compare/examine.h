#pragma once

#include <optional>
#include <string>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/outcome.h"

namespace lanediff::diff {

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

/// Replays a case: both sides against each other (`CompareCase`), each against
/// the expectation, and a target that goes step by step against itself: where
/// its whole run does not leave the very bytes of the reference it is run once
/// more. Where only the target misses the expectation and differs from the
/// reference, both findings have one signature: it is one defect.
///
/// The reference runs once. A target that goes step by step runs three times,
/// under two backgrounds and as a whole, and a fourth time as stated above; one
/// that answers whole cases runs once.
Examination Examine(const Case& c, const Target& target,
                    const Target& reference);

/// The same of the reference alone, for a target that must not be run: nothing
/// is compared.
Examination ExamineReference(const Case& c, const Target& target,
                             const Target& reference);

}  // namespace lanediff::diff

#pragma once

#include <span>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// Runs `c` on all sides, step by step: outcome, rules, notes and every byte of
/// every memory. After a step all continue from the reference's memory, so that
/// a difference is reported once, where it arose.
///
/// A target runs under two backgrounds at once: in the second all bytes are
/// inverted that the step may not read. What differs there alone is a write
/// outside, a missing one, or else a `kReadsOutside` finding.
std::vector<Comparison> CompareStepByStep(
    const Case& c, std::span<const StepwiseTarget* const> targets,
    const StepwiseTarget& reference, const StepObserver& observer);

}  // namespace lanediff::diff

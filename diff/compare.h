#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "case/case.h"
#include "diff/finding.h"
#include "diff/target.h"

namespace lanediff::diff {

/// What a comparison looked at, and what it found.
struct Comparison {
  std::vector<Finding> findings;
  bool unsupported = false;  ///< a side could not do a step
  bool unrecorded =
      false;               ///< unsupported, as nothing was recorded of the case
  bool malformed = false;  ///< what was recorded is no outcome of the case
  /// Why nothing was compared, one line; empty where a side ran and could not
  /// do a step.
  std::string why;
  std::size_t steps = 0;              ///< steps executed or rejected by both
  std::int64_t compared_bytes = 0;    ///< memory bytes compared over all steps
  std::uint64_t nodes = 0;            ///< arithmetic nodes of the reference
  std::int64_t written_elements = 0;  ///< elements written by executed steps
  std::int64_t most_iterations = 0;   ///< of the longest executed step
  bool rejected = false;              ///< the reference rejected a step
};

/// A step as the reference took it, for those who look on.
struct ReferenceStep {
  std::size_t index;
  const isa::Step& step;
  const isa::StepResult& result;
  const std::vector<oracle::Access>& accesses;  ///< what it may touch
  const oracle::NumericEvents& events;
};
using StepObserver = std::function<void(const ReferenceStep&)>;

/// Runs `c` on both sides, step by step: outcome, rules, notes and every byte
/// of every memory. After a step both sides continue from the reference's
/// memory, so that a difference is reported once, where it arose.
///
/// The target runs under two backgrounds at once: in the second all bytes are
/// inverted that the step has no business reading. A result that differs there
/// alone is a `kReadsOutside` finding.
Comparison CompareStepByStep(const Case& c, const Target& target,
                             const Target& reference,
                             const StepObserver& observer = {});

/// The same for several targets, each against the one run of the reference; a
/// comparison for each, in their order.
std::vector<Comparison> CompareStepByStep(
    const Case& c, std::span<const Target* const> targets,
    const Target& reference, const StepObserver& observer = {});

}  // namespace lanediff::diff

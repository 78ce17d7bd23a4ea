#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/open_elements.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/numeric_events.h"

namespace lanediff::diff {

/// What a comparison looked at, and what it found.
struct Comparison {
  std::vector<Finding> findings;
  bool unsupported = false;  ///< a side could not do a step
  bool unrecorded =
      false;  ///< unsupported, as the target doesn't know the case
  std::size_t unsupported_step = 0;  ///< the first that a side could not do
  bool beyond = false;    ///< unsupported, as the target doesn't claim it
  bool given_up = false;  ///< unsupported, as the target has failed too often
  bool left_out = false;  ///< unsupported, as only legal cases count
  /// Rules broken by a call that a target which checks none executed.
  std::vector<isa::RuleId> tolerated;
  bool malformed = false;  ///< what the target has is no outcome of the case
  /// Why nothing was compared, one line; empty where a side ran and could not
  /// do a step.
  std::string why;
  /// The outcome, of a target that answers whole cases.
  std::optional<Outcome> outcome;
  std::size_t steps = 0;            ///< steps executed or rejected by both
  std::int64_t compared_bytes = 0;  ///< memory bytes compared over all steps
  /// Results compared by their distance: not among those bytes.
  OpenCounts open = {};
  std::uint64_t nodes = 0;            ///< arithmetic nodes of the reference
  std::int64_t written_elements = 0;  ///< elements written by executed steps
  std::int64_t most_iterations = 0;   ///< of the longest executed step
  bool rejected = false;              ///< the reference rejected a step

  /// Whether the target failed.
  bool has_failed() const {
    return std::ranges::any_of(
        findings, [](const Finding& f) { return IsFailure(f.kind); });
  }
};

/// A step as the reference took it, for those who look on.
struct ReferenceStep {
  std::size_t index;
  const isa::Step& step;
  const isa::StepResult& result;
  const std::vector<isa::Access>& accesses;  ///< what it may touch
  const isa::NumericEvents& events;
  const MemorySet& after;  ///< the reference's memory
  std::uint64_t nodes;     ///< of the reference so far
};
using StepObserver = std::function<void(const ReferenceStep&)>;

/// Runs `c` on both sides: outcome, rules, notes and every byte of every
/// memory, as far as the target reports them. A target that ended, didn't
/// answer in time or broke the rules is a finding; what is beyond its
/// capabilities is unsupported. The reference, which must go step by step, runs
/// once, and not at all where there is nothing to compare it with.
Comparison CompareCase(const Case& c, const Target& target,
                       const Target& reference,
                       const StepObserver& observer = {});

/// Announces to a target with foresight that `CompareCase` is going to be
/// called with `c`, unless the case will not be put to the target.
void AnnounceCase(const Case& c, const Target& target, const Target& reference);

/// The same as `CompareCase` for several targets, each against the one run of
/// the reference; a comparison for each, in their order. Without any the
/// reference is run for the observer.
std::vector<Comparison> CompareCase(const Case& c,
                                    std::span<const Target* const> targets,
                                    const Target& reference,
                                    const StepObserver& observer = {});

/// `target`, which claims cases of `product` alone, if one is given, and of
/// which with `legal_only` only cases count that the documents allow from start
/// to end. `target` itself where nothing narrows it; else one for each way,
/// which lives as long as the process.
const Target& Narrowed(const Target& target,
                       std::optional<isa::Product> product, bool legal_only);

/// That `side` has no outcome of `c` because it failed (`IsFailure`), in step
/// `step` where that is known.
Finding FailureFinding(const Case& c, std::string_view side,
                       std::string_view reference,
                       std::optional<std::size_t> step, const NoOutcome& none);

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

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// Compares the outcome of a target that answers whole cases with what the
/// reference makes of `c`. `See` gets every step of the reference, in order.
///
/// Only the end of the program is known: there is one finding about the answer,
/// at the first step where the two part or, of notes, at the step that they
/// belong to; and one about memory, at the step that wrote the element last.
/// Reads outside the operands don't show.
class OutcomeComparer {
 public:
  /// `outcome` is executed or rejected; the rest must outlive this.
  OutcomeComparer(const Case& c, Outcome outcome, const Target& target,
                  const StepwiseTarget& reference);

  void See(const ReferenceStep& step);
  /// Once, after the reference's last step.
  Comparison Compare();

 private:
  bool IsComplete() const;
  bool ReferenceRejected() const;
  bool ExecutesIllegal() const;
  std::size_t last_step() const { return results_.size() - 1; }
  Answer ReferenceAnswer() const;
  Answer TargetAnswer(const Answer& expected) const;
  std::size_t StepOfNote(isa::RuleId rule) const;
  MemorySet MemoryBefore(std::size_t step) const;
  std::optional<Finding> CompareTheAnswer() const;
  std::optional<Finding> CompareBytes(const Undetermined& undetermined,
                                      std::optional<std::size_t> parted,
                                      OpenCounts& open) const;
  void Count(Comparison& result) const;
  void Report(Finding finding, Comparison& result) const;

  const Case& case_;
  Outcome outcome_;
  const Target& target_;
  const StepwiseTarget& reference_;
  std::size_t last_;  ///< the step with which the target ended
  // The reference's way up to there.
  MemorySet memory_;
  std::vector<isa::StepResult> results_;
  std::vector<TypedRun> writes_;
  std::int64_t most_iterations_ = 0;
  std::uint64_t nodes_ = 0;
};

/// "unsupported at step 3", or of a target that only has outcomes of given
/// cases "recorded as unsupported at step 3".
std::string UnsupportedText(const Target& target, const Outcome& outcome);

/// " (observed: …)" where the outcome names another implementation than
/// `name`, else nothing.
std::string ObservedText(const Outcome& outcome, std::string_view name);

}  // namespace lanediff::diff

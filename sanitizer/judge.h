#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/step.h"
#include "oracle/oracle.h"
#include "sanitizer/mask_state.h"

namespace lanediff::lint {

/// The oracle as a judge of one program: which steps are legal, and what they
/// read and write. No byte of any memory is looked at or changed.
class Judge {
 public:
  explicit Judge(const Case& c);

  /// What becomes of the step: its legality, mask register and mode. If the
  /// case states how it is synchronized, *-BARRIER is left out.
  isa::StepResult Take(const isa::Step& step);

  /// Of the last step, in the order of execution: also what it leaves
  /// unspecified, under the name of tmp and last.
  const std::vector<isa::Access>& accesses() const { return accesses_; }

  MaskState::Words mask_register() const;
  bool counter_mode() const { return oracle_.counter_mode(); }

  /// The accesses of a step of the program that was executed when the register
  /// was `mask`.
  const std::vector<isa::Access>& Again(const isa::Step& step,
                                        const MaskState::Words& mask);

  /// Every reject rule that `step` would break as the next one, each judged by
  /// itself; on another product by the rules that look at no state.
  isa::RuleSet Broken(const isa::Step& step);
  isa::RuleSet BrokenOn(isa::Product product, const isa::Step& step) const;

  /// What `step` would read and write as the next one if memories had no end
  /// and windows didn't count, whatever else it breaks; nothing where no bytes
  /// are defined or they are too many to list.
  std::vector<isa::Access> Natural(const isa::Step& step) const;

 private:
  /// A copy that comes after everything keeps rules on barriers.
  void Await(const isa::Step& step);

  isa::Profile profile_;
  isa::Memories memories_;
  bool synchronized_;
  oracle::Oracle oracle_;
  std::vector<isa::Access> accesses_;
  std::vector<isa::Access> again_;
};

}  // namespace lanediff::lint

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/step.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/judge.h"
#include "sanitizer/mask_state.h"
#include "sanitizer/order.h"
#include "sanitizer/races.h"
#include "sanitizer/resources/machine.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {

/// What lint judges of one program, step by step: of a case, or of a kernel
/// while it runs.
class Walk {
 public:
  /// What a step was, if it is still known.
  using StepAt = std::function<const isa::Step*(std::size_t)>;

  /// A race that SYNC-AUTO takes away.
  struct Hidden {
    isa::RuleId rule;
    std::size_t earlier = 0;
    std::size_t later = 0;
  };

  /// `c` has product, memories and facts; its program is not looked at. In a
  /// `run` a rejected step ends nothing: its bytes count as written.
  Walk(const Case& c, StepAt step_at, SiteAt site_at, bool run = false);

  /// The next step, and its number; they ascend from 0.
  isa::StepResult Take(const isa::Step& step, std::size_t number);
  /// The last step is unsupported: nothing more is looked at.
  bool unsupported() const { return verdict_.unsupported.has_value(); }

  /// The program has come to its end. Only once.
  Verdict Finish();

  // ---- Of a run, which takes what was found as it goes ----

  /// Since the last call.
  std::vector<Hazard> TakeHazards() {
    return std::exchange(verdict_.hazards, {});
  }
  std::vector<machine::Finding> TakeNotes() {
    return std::exchange(notes_, {});
  }
  std::vector<Hidden> TakeHidden() { return std::exchange(hidden_, {}); }
  /// What skipped calls would have written; GetValue's reads of it are kept
  /// until they are taken.
  UnknownReads& unknown() { return unknown_; }
  std::vector<InitRead> TakeUnknownReads() {
    return std::exchange(unknown_reads_, {});
  }
  /// Of the last step that was executed.
  const std::vector<isa::Access>& accesses() const {
    return here_->judge.accesses();
  }
  MaskState::Words mask_register() const {
    return here_->judge.mask_register();
  }
  bool counter_mode() const { return here_->judge.counter_mode(); }
  /// The register before the last step.
  const MaskState::Words& mask_before() const { return registers_.back(); }
  bool mask_is_unknown() const { return here_->masks.IsUnknown(); }
  bool mode_is_unknown() const { return here_->masks.IsModeUnknown(); }
  Judge& judge() { return here_->judge; }
  const machine::Machine& machine() const { return machine_; }
  /// Bytes that no step before has written, as far as lint is concerned.
  Unwritten& unwritten() { return init_.unwritten(); }
  /// If the next step is rejected, it may be tried in another form: what it
  /// would have written counts as unwritten until `CountRejected`.
  void DeferRejected() { defer_rejected_ = true; }
  void CountRejected(const isa::Step& step);
  /// Order of the next step's accesses to local memory is its compiler's
  /// affair: they are in no race.
  void ExemptNext() { exempt_ = true; }
  /// The next step implies no synchronization.
  void DropImplied() { drop_implied_ = true; }
  /// Whether the last step wrote local bytes that nothing had written.
  bool wrote_first() const { return wrote_first_; }
  std::int64_t bytes() const { return verdict_.bytes; }

 private:
  /// What a block has of its own.
  struct Block {
    Judge judge;
    Order order;
    MaskState masks;
    Races races;
    /// Without SYNC-AUTO, where it is on.
    std::optional<Order> manual;
  };

  void Close(std::vector<Hazard>& hazards) const;
  void Enter(std::int64_t number);
  void FinishBlocks();
  void Begin(const isa::Resource& resource);
  void TellOfKernel();
  Place KernelPlace(std::size_t number) const;
  void Note(isa::RuleId rule, std::size_t number);
  std::vector<Hazard>& hazards();
  void Reject(const isa::Step& step, const RejectedStep& rejected,
              bool deferred);
  void CountStep(const isa::Step& step);
  void Synchronize(const isa::Step& step, std::size_t number);
  void Operate(const isa::Step& step, std::size_t number);
  Place PlaceOf(std::size_t number) const;
  void Report(const InitRead& read, const std::vector<isa::Access>& accesses,
              std::size_t number);
  void Report(const StaleReads::Read& read,
              const std::vector<isa::Access>& accesses, std::size_t number);
  void Report(const Race& race, std::size_t number);
  void KeepWriters(const std::vector<isa::Access>& accesses, std::int32_t n);
  Hazard::Origin OriginOf(const InitRead& read,
                          const std::vector<isa::Access>& accesses) const;
  void BeginUse(const isa::Resource& resource);
  void ForgiveFreed(const std::vector<isa::Access>& accesses,
                    std::size_t number);
  bool WritesFirst() const;
  void LookForHidden(const std::vector<Race>& found, std::size_t number);

  const Case& case_;
  StepAt step_at_;
  SiteAt site_at_;
  bool run_;
  InitReads init_;
  StaleReads stale_;
  UnknownReads unknown_;
  std::vector<InitRead> unknown_reads_;
  Fixes fixes_;
  StepUse use_;
  /// Of each step so far: the mask register before it, and its pipe, ALL where
  /// it has none.
  std::vector<MaskState::Words> registers_;
  std::vector<isa::Pipe> pipes_;
  Verdict verdict_;
  machine::Machine machine_;
  std::vector<machine::Finding> notes_;
  std::vector<Hidden> hidden_;
  std::map<std::int64_t, Block> blocks_;
  Block* here_ = nullptr;
  bool exempt_ = false;
  bool drop_implied_ = false;
  bool defer_rejected_ = false;
  /// Of steps that read first what nothing had written: who had written the
  /// rest.
  std::map<std::int32_t, std::vector<std::pair<std::size_t, std::int64_t>>>
      first_writers_;
  bool wrote_first_ = false;
  bool started_ = false;  ///< a step has begun a block
};

}  // namespace lanediff::lint

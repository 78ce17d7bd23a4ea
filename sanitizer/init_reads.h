#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/intervals.h"
#include "isa/step.h"
#include "sanitizer/races.h"
#include "sanitizer/step_use.h"
#include "sanitizer/unwritten.h"

namespace lanediff::lint {

/// Bytes that one operand reads and nothing has written.
struct InitRead {
  std::string_view operand;
  isa::Memory memory = isa::Memory::kUb;
  isa::IntervalSet bytes;
  /// The step that first read such bytes on the way of the lowest one here.
  std::optional<std::int32_t> earlier;
  /// The call that left the lowest one unspecified.
  std::optional<std::int32_t> left_by;
};

/// What moves along with unwritten bytes in strictness `propagate`.
struct Following {
  bool scratch = true;  ///< what a call leaves unspecified
  bool gm = false;      ///< bytes that leave the core, in GM
};

/// INIT-READ of one program, step by step, in either strictness.
class InitReads {
 public:
  explicit InitReads(const Case& c, Following following = {})
      : unwritten_(c), propagate_(c.lint.propagate), following_(following) {}

  /// What the executed step `number` reads; notes what it writes.
  std::vector<InitRead> Take(const isa::Step& step, std::int32_t number,
                             const std::vector<isa::Access>& accesses,
                             const StepUse& use);

  Unwritten& unwritten() { return unwritten_; }
  const Unwritten& unwritten() const { return unwritten_; }

 private:
  std::vector<InitRead> FirstReads(const std::vector<isa::Access>& accesses,
                                   const StepUse& use) const;
  void LeaveScratch(std::int32_t number,
                    const std::vector<isa::Access>& accesses);

  Unwritten unwritten_;
  bool propagate_;
  Following following_;
};

/// Strictness `propagate`: moves what is unwritten along with what the step
/// computes from it. What it reads is reported where it leaves: in a copy to GM
/// and in GetValue.
std::vector<InitRead> Propagate(const isa::Step& step, std::int32_t number,
                                const std::vector<isa::Access>& accesses,
                                Following following, Unwritten& unwritten);

/// INIT-STALE of one program, step by step: what an earlier use left in a
/// queue's buffer counts as unwritten, and goes along with what is computed
/// from it as INIT-READ has it.
class StaleReads {
 public:
  /// Which step wrote the bytes; and whether the queue has no other buffer.
  struct Origin {
    std::int32_t writer = 0;
    bool only = false;

    bool operator==(const Origin&) const = default;
  };
  struct Read {
    InitRead read;
    Origin origin;  ///< of the lowest byte
  };

  explicit StaleReads(const Case& c);

  void EnterBlock(std::int64_t block);
  void Launch();

  /// A queue hands the bytes out, or takes them back: what `written` has there
  /// is of an earlier use.
  void Begin(isa::Memory memory, const isa::IntervalSet& bytes, bool only,
             const Races& written);
  /// Whether a queue has done so.
  bool active() const { return active_; }
  /// The bytes count as written in this use.
  void Remember(isa::Memory memory, const isa::Interval& bytes) {
    if (active_) reads_.unwritten().Write(memory, bytes);
  }
  /// What the executed step `number` reads; notes what it writes.
  std::vector<Read> Take(const isa::Step& step, std::int32_t number,
                         const std::vector<isa::Access>& accesses,
                         const StepUse& use);

 private:
  /// Of one memory of one block.
  using Origins = isa::IntervalMap<Origin>;

  Origins& OriginsOf(isa::Memory memory) {
    return origins_[block_][static_cast<std::size_t>(memory)];
  }
  void NoteFirstRead(std::int32_t number, const StepUse& use);

  InitReads reads_;
  bool active_ = false;
  std::int64_t block_ = 0;
  std::map<std::int64_t, std::array<Origins, isa::kCount<isa::Memory>>>
      origins_;
  /// Of steps that read such bytes first.
  std::map<std::int32_t, Origin> first_reads_;
};

/// Bytes of a run whose values are unknown: what skipped calls would have
/// written, and what is computed from that, lane by lane as INIT-READ has it.
/// Each has the number of its source, which the caller chooses.
class UnknownReads {
 public:
  explicit UnknownReads(const Case& c);

  void EnterBlock(std::int64_t block) { reads_.unwritten().EnterBlock(block); }
  void Launch() { reads_.unwritten().Launch(); }

  /// A skipped call would have written the bytes.
  void Leave(isa::Memory memory, const isa::Interval& bytes,
             std::int32_t source);

  /// Follows the executed step `number`. What it reads of such bytes, where
  /// they leave the core; `left_by` is the source.
  std::vector<InitRead> Take(const isa::Step& step, std::int32_t number,
                             const std::vector<isa::Access>& accesses,
                             const StepUse& use);

  /// Those of `bytes`, ascending; `left_by` is the source.
  std::vector<Unwritten::Piece> In(isa::Memory memory,
                                   const isa::Interval& bytes) const;

 private:
  InitReads reads_;
  bool active_ = false;
};

}  // namespace lanediff::lint

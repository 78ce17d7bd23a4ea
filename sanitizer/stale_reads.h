#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/intervals.h"
#include "isa/step.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/races.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {

/// A case without steps, all of whose bytes count as written.
Case AllWritten(const Case& c);

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

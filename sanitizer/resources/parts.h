#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "isa/access.h"
#include "isa/carried.h"
#include "isa/intervals.h"
#include "isa/rule.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// What a machine finds, and what it has beside buffers.
namespace lanediff::machine {

/// A rule of kernels that a step breaks.
struct Finding {
  isa::RuleId rule;
  std::size_t step = 0;
  std::string what;   ///< what was found and what is needed, without the step
  bool note = false;  ///< reported, and no reason to fail
  std::optional<std::size_t> earlier = std::nullopt;
  std::optional<std::int64_t> gm_byte = std::nullopt;  ///< that shows it

  bool operator==(const Finding&) const = default;
};

/// Synchronization that a call of a queue, Destroy or SyncAll implies: a flag
/// of the queue's own from one pipe to another, known by its token, or a
/// barrier of `to`.
struct Implied {
  enum class Kind : std::uint8_t { kSet, kWait, kBarrier };

  Kind kind = Kind::kSet;
  isa::Pipe from = isa::Pipe::kV;
  isa::Pipe to = isa::Pipe::kV;
  std::uint64_t token = 0;

  bool operator==(const Implied&) const = default;
};

/// The event ids of one block. AllocEventID and the queues take the lowest id
/// that is free; SetFlag and WaitFlag may name any.
class EventPool {
 public:
  explicit EventPool(isa::Product product);

  /// The event from one pipe to another; nothing where there is none.
  static std::optional<isa::Event> Between(isa::Pipe from, isa::Pipe to);

  /// How many ids each event has.
  std::int64_t ids() const { return ids_; }
  /// The lowest id that nothing holds; nothing where all are held.
  std::optional<std::int64_t> FreeOf(isa::Event event) const;

  struct Taken {
    std::int64_t id = 0;
    /// The SetFlag whose flag of that id nothing has waited for.
    std::optional<std::size_t> set_by;
  };
  /// Takes that id for a queue's call, or for AllocEventID, at step `number`.
  std::optional<Taken> Take(isa::Event event, std::size_t number,
                            bool for_queue);
  /// False if it is not held.
  bool Release(isa::Event event, std::int64_t id);

  /// The flag is set by hand. Returns the call of a queue that holds its id.
  std::optional<std::size_t> Set(const isa::SetFlag& flag, std::size_t number);
  void Wait(const isa::WaitFlag& flag) { set_.erase({flag.event, flag.id}); }

 private:
  using Key = std::pair<isa::Event, std::int64_t>;
  struct Holder {
    std::size_t step = 0;
    bool is_queue = false;
  };

  std::int64_t ids_;
  std::map<Key, Holder> held_;
  std::map<Key, std::size_t> set_;  ///< by which SetFlag
};

/// KRN-GM-CONFLICT: what blocks touch in GM between two SyncAll.
class GmConflicts {
 public:
  /// Who touches.
  struct Toucher {
    std::int64_t block = 0;
    std::int64_t phase = 0;   ///< how many SyncAll the block has called
    std::string_view atomic;  ///< the operation of a write; "none" or "": none
    std::size_t step = 0;
  };
  struct Conflict {
    std::int64_t at = 0;  ///< the lowest byte
    std::int64_t block = 0;
    std::size_t step = 0;
    bool write = false;  ///< what the other one did
  };

  /// Notes the access to GM; a conflict with another block, if there is one.
  std::optional<Conflict> Take(const isa::Access& access,
                               const Toucher& toucher);

  void Clear() { touched_.clear(); }

 private:
  /// How one block touches bytes in one phase.
  struct Way {
    std::int64_t phase = 0;
    std::int64_t block = 0;
    bool write = false;
    std::string atomic = {};

    auto operator<=>(const Way&) const = default;
  };

  std::map<Way, isa::IntervalMap<std::size_t>> touched_;  ///< first steps
};

/// KRN-OVERLAP with the 8 KiB at the end of UB that Select of a scalar or of
/// tensors takes for itself (Select · 约束说明), in one block.
class SelectScratch {
 public:
  static constexpr std::int64_t kBytes = 8192;

  explicit SelectScratch(isa::Product product) : product_(product) {}

  struct Conflict {
    std::string what;
    std::optional<std::size_t> select;  ///< the step that overwrote it
  };

  /// Follows an executed step. What it shares with them, if it is such a
  /// Select; else what it reads that such a Select has overwritten.
  std::optional<Conflict> Take(const isa::Step& step, std::size_t number,
                               std::span<const isa::Access> accesses);

 private:
  isa::Product product_;
  isa::IntervalSet written_;
  isa::IntervalSet lost_;  ///< of these, what a Select has overwritten
  std::size_t select_ = 0;
};

/// KRN-OVERLAP: what of an unaudited call's operands overlaps as it must not;
/// nothing where all is well. `accesses` are the call's, each iteration's
/// together.
std::optional<std::string> BadOverlap(const isa::Carried& call,
                                      std::span<const isa::Access> accesses);

}  // namespace lanediff::machine

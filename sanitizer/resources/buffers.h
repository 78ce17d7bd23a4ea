#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "isa/access.h"
#include "isa/resource.h"
#include "isa/vocabulary.h"
#include "sanitizer/resources/parts.h"

namespace lanediff::machine {

/// The local memory of one block: TPipes, what InitBuffer hands out, queues,
/// static tensors and allocators. KRN-UB-CAPACITY, -BUFFERS, -TPIPE, -QUEUE,
/// -QUEUE-LEFT and -FREED.
class Buffers {
 public:
  explicit Buffers(isa::Product product) : product_(product) {}

  /// Takes the steps that are its business, and leaves the others alone. What
  /// the call implies is added to `implied`; false if the block ends here.
  bool Take(const isa::Resource& resource, std::size_t number,
            EventPool& events, std::vector<Implied>& implied,
            std::vector<Finding>& findings);

  /// What the last AllocTensor or DeQue that went well handed out.
  struct HandedOut {
    std::int64_t at = 0;
    std::int64_t bytes = 0;
  };
  const HandedOut& handed_out() const { return handed_out_; }

  /// What the last step has left without defined content: a queue's buffer that
  /// AllocTensor hands out or FreeTensor takes back.
  struct Undefined {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    bool only = false;  ///< the queue has no other
  };
  const std::optional<Undefined>& undefined() const { return undefined_; }

  /// What a buffer has: positions, blocks, and how many of them are queued or
  /// idle. Nothing where it doesn't exist (any more).
  struct About {
    isa::Position src = isa::Position::kVeccalc;
    isa::Position dst = isa::Position::kVeccalc;
    std::int64_t at = 0;     ///< of the first block
    std::int64_t bytes = 0;  ///< of all
    std::size_t queued = 0;
    std::size_t idle = 0;
    /// Which block DeQue and AllocTensor hand out next.
    std::optional<std::int64_t> next_queued = std::nullopt;
    std::optional<std::int64_t> next_idle = std::nullopt;
  };
  std::optional<About> AboutOf(std::int64_t buffer) const;

  /// Behind all that InitBuffer has handed out of `memory`.
  std::int64_t EndOf(isa::Memory memory) const;

  /// KRN-FREED of what a step touched.
  void Look(std::size_t number, std::span<const isa::Access> accesses,
            std::vector<Finding>& findings) const;

  /// KRN-QUEUE-LEFT of every TPipe that is left, reported at `number`.
  void Finish(std::size_t number, std::vector<Finding>& findings) const;

 private:
  /// One of a buffer's blocks, `len` bytes each, side by side.
  struct Slot {
    enum class State : std::uint8_t { kIdle, kHandedOut, kQueued };

    std::int64_t at = 0;
    State state = State::kIdle;
    std::optional<std::size_t> freed =
        std::nullopt;  ///< by which step, until handed out
    std::optional<std::size_t> given =
        std::nullopt;        ///< by which step it left the idle ones
    bool given_out = false;  ///< since it was freed, its bytes were somewhere
    std::uint64_t token = 0;
    /// The pipes of the last EnQue.
    isa::Pipe from = isa::Pipe::kV;
    isa::Pipe to = isa::Pipe::kV;
    /// The ids of the flags that EnQue and FreeTensor have set, until DeQue and
    /// AllocTensor have waited for them.
    struct Id {
      isa::Event event = isa::Event::kMte2V;
      std::int64_t id = 0;
    };
    std::optional<Id> queued_id = std::nullopt;
    std::optional<Id> freed_id = std::nullopt;
  };
  struct Buffer {
    std::int64_t tpipe = 0;
    isa::Position src = isa::Position::kVeccalc;
    isa::Position dst = isa::Position::kVeccalc;
    isa::Memory memory = isa::Memory::kUb;
    std::optional<std::int64_t> depth;  ///< none: a TBuf
    std::int64_t len = 0;               ///< rounded up to 32
    std::vector<Slot> slots;
    std::size_t next = 0;            ///< whose turn it is
    std::deque<std::size_t> queued;  ///< slots, the oldest first

    std::size_t Most() const;  ///< slots that may be queued at once
  };
  /// Where a call of a resource stands, and where it reports.
  struct Call {
    const isa::Resource& resource;
    std::size_t number;
    EventPool& events;
    std::vector<Implied>& implied;
    std::vector<Finding>& findings;

    void Emit(isa::RuleId rule, std::string what, bool note = false,
              std::optional<std::size_t> earlier = std::nullopt) const {
      findings.push_back({rule, number, std::move(what), note, earlier});
    }
  };

  /// The bytes are handed out again: of no slot they are freed.
  void GiveOut(isa::Memory memory, std::int64_t at, std::int64_t bytes);
  void NewTPipe(const Call& call);
  void EndTPipe(const Call& call);
  void Reset(std::int64_t tpipe, EventPool& events);
  static std::optional<Slot::Id> TakeId(const Call& call, isa::Pipe from,
                                        isa::Pipe to);
  static void Release(std::optional<Slot::Id>& id, EventPool& events);
  void InitBuffer(const Call& call);
  void LocalTensor(const Call& call);
  void NewAllocator(const Call& call);
  bool AllocTensor(const Call& call, Buffer& queue);
  bool EnQue(const Call& call, Buffer& queue);
  bool DeQue(const Call& call, Buffer& queue);
  void FreeTensor(const Call& call, Buffer& queue);
  bool OfQueue(const Call& call);
  void MixedWithStatic(const Call& call) const;
  void TellLeft(std::int64_t tpipe, std::size_t number,
                std::vector<Finding>& findings) const;
  std::size_t HandedOutAt(isa::Position position) const;

  isa::Product product_;
  std::map<std::int64_t, std::size_t> tpipes_;  ///< live: made by which step
  std::map<std::int64_t, Buffer> buffers_;
  std::map<std::pair<std::int64_t, isa::Memory>, std::int64_t> ends_;
  std::map<isa::Memory, std::size_t> allocators_;
  std::optional<std::size_t> static_tensor_;
  std::size_t buffers_made_ = 0;
  std::uint64_t tokens_ = 0;
  HandedOut handed_out_;
  std::optional<Undefined> undefined_;
};

}  // namespace lanediff::machine

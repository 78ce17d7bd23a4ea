#include "sanitizer/disconnected_bytes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sanitizer/judge.h"
#include "sanitizer/ranges.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

/// Bytes that were written and that no step has read since; those that are
/// written again are lost.
class Unread {
 public:
  void Take(const MemoryUse& use) {
    bytes_ = Without(bytes_, use.reads);
    RangeList kept = Without(bytes_, use.writes);
    lost_ += bytes_.bytes() - kept.bytes();
    bytes_ = std::move(kept);
  }
  void Write(const RangeList& more) {
    for (const Range& range : more) bytes_.Append(range);
    bytes_.Tidy();
  }
  std::int64_t Lost() const { return lost_ + bytes_.bytes(); }

 private:
  RangeList bytes_;
  std::int64_t lost_ = 0;
};

struct Traffic {
  RangeList written;
  Unread by_others;
  Unread by_call;
};

}  // namespace

DisconnectedBytes DisconnectedBytesIn(const Case& c, std::size_t number) {
  std::array<Traffic, isa::kCount<isa::Memory>> memories;
  DisconnectedBytes disconnected;
  std::int64_t own = 0;
  std::int64_t touched = 0;
  Judge judge(c);
  StepUse use;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = judge.Take(c.program[i]);
    if (result.status != isa::StepResult::Status::kExecuted) continue;
    use.Set(judge.accesses());
    for (std::size_t m = 0; m < memories.size(); ++m) {
      if (static_cast<isa::Memory>(m) == isa::Memory::kGm) continue;
      const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
      Traffic& memory = memories[m];
      (i == number ? own : disconnected.others) +=
          Without(bytes.read_first, memory.written).bytes();
      if (i == number) touched += bytes.reads.bytes() + bytes.writes.bytes();
      memory.by_others.Take(bytes);
      memory.by_call.Take(bytes);
      (i == number ? memory.by_call : memory.by_others).Write(bytes.writes);
      for (const Range& range : bytes.writes) memory.written.Append(range);
      memory.written.Tidy();
    }
  }
  for (const Traffic& memory : memories) {
    disconnected.others += memory.by_others.Lost();
    own += memory.by_call.Lost();
  }
  disconnected.own_per_mille = 1000 * own / std::max<std::int64_t>(touched, 1);
  return disconnected;
}

}  // namespace lanediff::lint

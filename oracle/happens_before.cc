#include "oracle/happens_before.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/pipe_tables.h"

namespace lanediff::oracle {

using isa::Pipe;
using isa::RuleId;

namespace {

template <class Sets>
auto& Of(Pipe pipe, Sets& sets) {
  return sets[static_cast<std::size_t>(pipe)];
}

}  // namespace

/// (1): an operation of S ends before every later one of S starts.
void HappensBefore::Operation(std::size_t number, Pipe pipe) {
  Of(pipe, operations_).Add(number);
  if (pipe == Pipe::kS) Of(Pipe::kS, ended_).Add(number);
}

/// (2): after the end of every earlier operation in the queue and before every
/// later entry of it; ALL: of all queues.
void HappensBefore::Barrier(Pipe pipe) {
  if (pipe != Pipe::kAll) {
    Of(pipe, ended_).AddAll(Of(pipe, operations_));
    return;
  }
  for (NumberSet& ended : ended_) {
    for (const NumberSet& operations : operations_) ended.AddAll(operations);
  }
}

std::optional<RuleId> HappensBefore::BrokenBy(isa::Event event,
                                              std::int64_t id) const {
  if (!HasEvent(product_, event)) return isa::sync::kFlagPipe;
  if (id < 0 || id > GreatestFlagId(product_)) return isa::sync::kFlagId;
  return std::nullopt;
}

/// (3): after the end of every earlier operation in its queue. As an entry of
/// it, it also comes after what that queue's next entry comes after.
std::optional<RuleId> HappensBefore::SetFlag(const isa::SetFlag& flag,
                                             std::int64_t step) {
  if (const auto broken = BrokenBy(flag.event, flag.id)) return broken;
  const Pipe source = SourceOf(flag.event);
  const auto [raised, is_new] =
      set_flags_.try_emplace({flag.event, flag.id}, RaisedFlag{step, {}});
  if (!is_new) return isa::sync::kFlagTwice;
  raised->second.ended = Of(source, ended_);
  raised->second.ended.AddAll(Of(source, operations_));
  return std::nullopt;
}

/// (4): after the SetFlag that it takes and before every later entry of its
/// queue. (5): where that is S, the SetFlag comes before every later entry of
/// every queue.
std::optional<RuleId> HappensBefore::WaitFlag(const isa::WaitFlag& flag) {
  if (const auto broken = BrokenBy(flag.event, flag.id)) return broken;
  const auto raised = set_flags_.find({flag.event, flag.id});
  if (raised == set_flags_.end()) return isa::sync::kFlagUnset;
  const Pipe destination = DestinationOf(flag.event);
  if (destination == Pipe::kS) {
    for (NumberSet& ended : ended_) ended.AddAll(raised->second.ended);
  } else {
    Of(destination, ended_).AddAll(raised->second.ended);
  }
  set_flags_.erase(raised);
  return std::nullopt;
}

bool HappensBefore::IsBefore(std::size_t operation, Pipe pipe) const {
  return Of(pipe, ended_).Contains(operation);
}

std::optional<std::int64_t> HappensBefore::SetterOf(isa::Event event,
                                                    std::int64_t id) const {
  const auto raised = set_flags_.find({event, id});
  if (raised == set_flags_.end()) return std::nullopt;
  return raised->second.step;
}

void HappensBefore::Forget(std::size_t number) {
  for (NumberSet& operations : operations_) operations.Remove(number);
  for (NumberSet& ended : ended_) ended.Remove(number);
  for (auto& [name, raised] : set_flags_) raised.ended.Remove(number);
}

}  // namespace lanediff::oracle

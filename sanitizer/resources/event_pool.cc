#include "sanitizer/resources/event_pool.h"

#include <cstddef>

#include "emulator/flags.h"

namespace lanediff::machine {

EventPool::EventPool(isa::Product product) : ids_(emulator::FlagsOf(product)) {}

std::optional<isa::Event> EventPool::Between(isa::Pipe from, isa::Pipe to) {
  for (std::size_t e = 0; e < isa::kCount<isa::Event>; ++e) {
    const auto event = static_cast<isa::Event>(e);
    if (isa::SourceOf(event) == from && isa::DestinationOf(event) == to) {
      return event;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> EventPool::FreeOf(isa::Event event) const {
  for (std::int64_t id = 0; id < ids_; ++id) {
    if (!held_.contains({event, id})) return id;
  }
  return std::nullopt;
}

std::optional<EventPool::Taken> EventPool::Take(isa::Event event,
                                                std::size_t number,
                                                bool for_queue) {
  const auto id = FreeOf(event);
  if (!id) return std::nullopt;
  held_[{event, *id}] = {number, for_queue};
  Taken taken{.id = *id, .set_by = std::nullopt};
  if (const auto set = set_.find({event, *id}); set != set_.end()) {
    taken.set_by = set->second;
  }
  return taken;
}

bool EventPool::Release(isa::Event event, std::int64_t id) {
  return held_.erase({event, id}) > 0;
}

std::optional<std::size_t> EventPool::Set(const isa::SetFlag& flag,
                                          std::size_t number) {
  const Key key{flag.event, flag.id};
  const auto held = held_.find(key);
  if (held != held_.end() && held->second.is_queue) return held->second.step;
  set_.try_emplace(key, number);
  return std::nullopt;
}

}  // namespace lanediff::machine

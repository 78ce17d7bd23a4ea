#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "isa/state.h"
#include "isa/vocabulary.h"

namespace lanediff::machine {

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

}  // namespace lanediff::machine

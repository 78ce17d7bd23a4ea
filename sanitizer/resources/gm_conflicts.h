#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "isa/access.h"
#include "isa/intervals.h"

namespace lanediff::machine {

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

}  // namespace lanediff::machine

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "isa/rule.h"
#include "isa/vocabulary.h"

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

}  // namespace lanediff::machine

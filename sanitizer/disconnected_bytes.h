#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "differential/testcase/case.h"

namespace lanediff::lint {

/// What of the core's memories (all but GM) goes disconnected: operations read
/// bytes that none has written, or write bytes that none reads before they are
/// written again or the program ends. Of two programs that differ in one call,
/// more is disconnected in the one that moved it away from those that feed it
/// and that it feeds.
struct DisconnectedBytes {
  std::int64_t others = 0;  ///< bytes of all other steps
  /// Of what the call itself reads and writes there; not how much, as a call
  /// that works on less would be better then.
  std::int64_t own_per_mille = 0;

  auto operator<=>(const DisconnectedBytes&) const = default;
};

/// Of the program of `c`, of which step `number` is the call. Rejected steps do
/// nothing.
DisconnectedBytes DisconnectedBytesIn(const Case& c, std::size_t number);

}  // namespace lanediff::lint

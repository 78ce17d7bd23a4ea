#pragma once

#include <cstdint>

#include "generators/random.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::make {

/// What most windows of `SmallCall` lie in, of each memory.
inline constexpr std::int64_t kSmallBytes = 2048;

/// A call that touches few bytes, mostly of the lowest kSmallBytes: an
/// operation of any pipe, or a step that sets mask or mode. Mostly legal, if
/// its product has it; the oracle decides.
isa::Step SmallCall(Random& random, isa::Product product);

// ---- Copies -----------------------------------------------------------------

struct CopyRoute {
  isa::Position src;
  isa::Position dst;
};

/// Which routes are requested.
enum class RouteKind : std::uint8_t {
  kAny,
  kInside,  ///< source and destination in one memory
  kToGm,
};

/// A route worth a call on `product`; it may be illegal.
/// There is one `kInside` only where `HasInsideRoute`.
CopyRoute PickRoute(Random& random, isa::Product product, RouteKind kind);

bool HasInsideRoute(isa::Product product);

}  // namespace lanediff::make

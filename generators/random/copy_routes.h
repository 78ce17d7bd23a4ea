#pragma once

#include <cstdint>

#include "generators/random.h"
#include "isa/vocabulary.h"

namespace lanediff::make {

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

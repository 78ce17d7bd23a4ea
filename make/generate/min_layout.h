#pragma once

#include <cstdint>
#include <span>

#include "isa/min.h"
#include "make/generate/intent.h"
#include "make/generate/operands.h"
#include "make/random.h"

namespace lanediff::make {

/// A call of Min on its way to its place.
struct MinCall {
  isa::Min step;
  LaneRange lanes;  ///< not of the count form
  LayoutIntent layout = LayoutIntent::kDisjoint;

  /// From the start to behind the last byte that the operand's lanes touch.
  std::int64_t dst_bytes() const;
  std::int64_t src0_bytes() const;
  std::int64_t src1_bytes() const;
};

/// How Min's operands lie, with weights.
std::span<const Weighted<LayoutIntent>> MinLayouts();

/// Places the operands of `call` from byte `start` on, as its layout asks; may
/// change strides, repeats and `count`, and the layout where the form has none
/// such. Returns the first byte behind all windows.
std::int64_t PlaceMin(Random& random, std::int64_t start, MinCall& call);

}  // namespace lanediff::make

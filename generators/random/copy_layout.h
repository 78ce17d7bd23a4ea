#pragma once

#include <cstdint>
#include <span>

#include "generators/random.h"
#include "generators/random/intent.h"
#include "isa/data_copy.h"

namespace lanediff::make {

/// A DataCopy on its way to its place.
struct CopyCall {
  isa::DataCopy step;
  LayoutIntent layout = LayoutIntent::kDisjoint;
  std::int64_t wider = 1;  ///< 2 for half to float

  /// From the first to behind the last byte that the call touches.
  std::int64_t dst_bytes() const;
  std::int64_t src_bytes() const;
};

/// How a DataCopy's operands, or two copies, lie, with weights.
std::span<const Weighted<LayoutIntent>> CopyLayouts();

/// Whether src and dst lie in one memory.
bool NeedsOneMemory(LayoutIntent layout);

/// Brings blocks and gaps into the shape that the layout needs.
void FitCopyLayout(Random& random, CopyCall& call);

/// Where dst begins, relative to src in the same memory; negative for before.
std::int64_t CopyTargetOffset(Random& random, const CopyCall& call);

}  // namespace lanediff::make

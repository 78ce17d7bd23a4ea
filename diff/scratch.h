#pragma once

#include <cstdint>
#include <vector>

#include "diff/case.h"
#include "diff/memory_set.h"

namespace lanediff::diff {

/// Bytes of one memory.
struct ByteRange {
  isa::Memory memory;
  std::int64_t at;
  std::int64_t bytes;
};

/// The scratch tiles of `step`, whose bytes are unspecified afterwards. Only
/// what lies inside the memories of `c`.
std::vector<ByteRange> ScratchOf(const Case& c, const isa::Step& step);

/// The scratch tiles of every step.
std::vector<ByteRange> ScratchOfAll(const Case& c);

/// Copies `ranges` from one set to the other, so that they compare equal.
void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to);

}  // namespace lanediff::diff

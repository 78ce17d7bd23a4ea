#pragma once

#include "differential/memory/memory_set.h"
#include "differential/memory/touched.h"
#include "differential/testcase/case.h"

/// Memories as the bytes in which they differ from a case's initial ones.
namespace lanediff::diff {

/// Maximal ranges of bytes of `now` that differ from `before`; both were made
/// for one case.
RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now);
/// The same where they are known to be equal outside `touched`.
RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now,
                              const Touched& touched);

/// The initial memory of `c` with `regions`, which lie inside, written over it.
MemorySet Overwritten(const Case& c, const RegionsByMemory& regions);

}  // namespace lanediff::diff

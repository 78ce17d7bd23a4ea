#pragma once

#include <cstdint>

#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// What a case fills its memories with, or the complement of it.
enum class Background : std::uint8_t { kFill, kInvertedFill };

/// The memories of a case, filled but without the regions that it lists. They
/// are kept from case to case: a new set costs what the last one with this fill
/// touched, not what the memories hold.
class FilledMemory {
 public:
  /// `sizes` are those of `c`.
  FilledMemory(const Case& c, const MemorySizes& sizes, Background background);
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
  /// Gives the memories up, as dirty ones unless they were `Restore`d.
  ~FilledMemory();

  MemorySet& set() { return set_; }
  const MemorySet& set() const { return set_; }

  /// Whether every byte outside `touched` is still what it was filled with.
  bool IsCleanOutside(const Touched& touched) const;
  /// Adds to `touched` the chunks that aren't, and of lazy memories all that
  /// was accessed.
  void FindTouched(Touched& touched) const;
  /// Refills `touched`, and keeps the memories for the next case. Nothing else
  /// may have been written to.
  void Restore(const Touched& touched);

 private:
  MemoryFills fill_;
  MemorySet set_;
};

/// Adds the open blocks of `lazy`.
void AddOpen(isa::Memory memory, const LazyBytes& lazy, Touched& touched);
/// Adds the places of `regions`, or of those that `c` begins with; series are
/// none.
void AddRegions(const RegionsByMemory& regions, Touched& touched);
void AddRegions(const Case& c, Touched& touched);

/// Copies the touched chunks.
void CopyTouched(const Touched& touched, const MemorySet& from, MemorySet& to);
/// Copies the complement of the touched chunks.
void InvertTouched(const Touched& touched, const MemorySet& from,
                   MemorySet& to);
/// Whether the touched chunks are equal.
bool SameTouched(const Touched& touched, const MemorySet& a,
                 const MemorySet& b);

/// Maximal ranges of bytes of `now` that differ from `before`; both were made
/// for one case.
RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now);
/// The same where they are known to be equal outside `touched`.
RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now,
                              const Touched& touched);

/// The initial memory of `c` with `regions`, which lie inside, written over it.
MemorySet Overwritten(const Case& c, const RegionsByMemory& regions);

}  // namespace lanediff::diff

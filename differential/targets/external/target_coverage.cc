#include "differential/targets/external/target_coverage.h"

#include <new>

#include "differential/memory/shared_arena.h"

namespace lanediff::diff {
namespace {

TargetCoverage* watched = nullptr;

}  // namespace

TargetCoverage* WatchTargetCoverage() {
  if (watched != nullptr) return watched;
  SharedArena* const arena = SharedArena::Enable();
  void* const place =
      arena == nullptr ? nullptr : arena->Allocate(sizeof(TargetCoverage));
  if (place != nullptr) watched = new (place) TargetCoverage;
  return watched;
}

TargetCoverage* WatchedCoverage() { return watched; }

}  // namespace lanediff::diff

#include "differential/memory/changed_memory.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

namespace lanediff::diff {
namespace {

/// Adds the ranges within `run`.
void AddRanges(std::span<const std::uint8_t> before,
               std::span<const std::uint8_t> now, const Touched::Run& run,
               std::vector<Region>& ranges) {
  const auto first = static_cast<std::ptrdiff_t>(run.at);
  auto b = before.begin() + first;
  auto n = now.begin() + first;
  const auto end = b + static_cast<std::ptrdiff_t>(run.bytes);
  while (true) {
    std::tie(b, n) = std::mismatch(b, end, n);
    if (b == end) return;
    const auto start = n;
    while (b != end && *b != *n) ++b, ++n;
    ranges.push_back({.at = start - now.begin(),
                      .dtype = std::nullopt,
                      .bytes = {start, n}});
  }
}

}  // namespace

RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now) {
  return ChangedRanges(before, now, ThereInEither(before, now));
}

RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now,
                              const Touched& touched) {
  RegionsByMemory changed;
  touched.ForEach([&](const Touched::Run& run) {
    AddRanges(before[run.memory], now[run.memory], run,
              changed[static_cast<std::size_t>(run.memory)]);
  });
  return changed;
}

MemorySet Overwritten(const Case& c, const RegionsByMemory& regions) {
  MemorySet memory(c);
  WriteRegions(regions, memory);
  return memory;
}

}  // namespace lanediff::diff

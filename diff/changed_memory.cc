#include "diff/changed_memory.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace lanediff::diff {
namespace {

std::vector<Region> RangesOfOne(const std::vector<std::uint8_t>& before,
                                const std::vector<std::uint8_t>& now) {
  std::vector<Region> ranges;
  auto b = before.begin();
  auto n = now.begin();
  while (true) {
    std::tie(b, n) = std::mismatch(b, before.end(), n);
    if (b == before.end()) return ranges;
    const auto start = n;
    while (b != before.end() && *b != *n) ++b, ++n;
    ranges.push_back({.at = start - now.begin(),
                      .dtype = std::nullopt,
                      .bytes = {start, n}});
  }
}

}  // namespace

RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now) {
  RegionsByMemory changed;
  for (isa::Memory m : kAllMemories) {
    changed[static_cast<std::size_t>(m)] = RangesOfOne(before[m], now[m]);
  }
  return changed;
}

MemorySet Overwritten(const Case& c, const RegionsByMemory& regions) {
  MemorySet memory(c);
  for (isa::Memory m : kAllMemories) {
    for (const Region& region : regions[static_cast<std::size_t>(m)]) {
      std::ranges::copy(region.bytes, memory[m].begin() + region.at);
    }
  }
  return memory;
}

}  // namespace lanediff::diff

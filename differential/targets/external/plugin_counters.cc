#include <algorithm>
#include <array>
#include <cstring>

#include "differential/targets/external/target_coverage.h"

namespace lanediff::diff {
namespace {

/// Of one library: a plugin may bring others that are instrumented.
struct Counters {
  std::uint8_t* begin = nullptr;
  std::size_t count = 0;
};

constexpr std::size_t kMostRegions = 256;
/// Guards beyond stay without a number, and are not counted.
constexpr std::size_t kMostGuards = 1 << 20;

bool expected = false;
std::array<Counters, kMostRegions> regions;
std::size_t region_count = 0;
/// Of the guards; pages of it that are not touched cost nothing.
std::array<std::uint8_t, kMostGuards> guarded;
std::size_t guard_count = 0;
TargetCoverage* watching = nullptr;

/// The most of both, at most places that are folded into one.
void Raise(const Counters& from, std::size_t first, TargetCoverage& all) {
  constexpr std::size_t kWord = 8;
  for (std::size_t i = 0; i < from.count;) {
    std::uint64_t word = 0;
    const std::size_t there = std::min(kWord, from.count - i);
    std::memcpy(&word, from.begin + i, there);
    for (std::size_t j = i; word != 0 && j < i + there; ++j) {
      auto& place = all.counts[(first + j) % kMostTargetCounters];
      place = std::max(place, from.begin[j]);
    }
    i += there;
  }
}

}  // namespace

void ExpectPluginCounters() { expected = true; }

void AddPluginCounters(std::uint8_t* begin, std::uint8_t* end) {
  const auto known = regions.begin() + region_count;
  if (!expected || begin >= end || region_count == kMostRegions ||
      std::ranges::find(regions.begin(), known, begin, &Counters::begin) !=
          known) {
    return;
  }
  regions[region_count++] = {begin, static_cast<std::size_t>(end - begin)};
}

void AddPluginGuards(std::uint32_t* begin, const std::uint32_t* end) {
  if (!expected || begin >= end || *begin != 0 ||
      region_count == kMostRegions) {
    return;
  }
  const std::size_t first = guard_count;
  for (auto* guard = begin; guard < end && guard_count < kMostGuards; ++guard) {
    *guard = static_cast<std::uint32_t>(++guard_count);
  }
  regions[region_count++] = {guarded.data() + first, guard_count - first};
}

void CountPluginGuard(std::uint32_t number) {
  if (number == 0 || number > kMostGuards) return;
  std::uint8_t& count = guarded[number - 1];
  if (count < 255) ++count;
}

void WatchPluginConstants(TargetCoverage& all) { watching = &all; }

void NotePluginConstant(std::int64_t value) {
  if (watching == nullptr) return;
  // The multiplier spreads neighbours over all places.
  const std::uint64_t mixed =
      static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15;
  watching->constants[mixed >> 56].store(value, std::memory_order_relaxed);
}

void TakePluginCounters(TargetCoverage& all) {
  std::size_t first = 0;
  const bool counts = all.paused == 0;
  for (std::size_t r = 0; r < region_count; ++r) {
    if (counts) Raise(regions[r], first, all);
    std::memset(regions[r].begin, 0, regions[r].count);
    first += regions[r].count;
  }
  all.counters = first;
}

}  // namespace lanediff::diff

#include "differential/memory/filled_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>

namespace lanediff::diff {
namespace {

/// Whether `bytes` bytes from `at` on are all `fill`. Compares them with a
/// short array, which stays in the nearest cache.
bool AllAre(const std::uint8_t* at, std::size_t bytes, std::uint8_t fill) {
  std::array<std::uint8_t, 4096> same;
  std::memset(same.data(), fill, std::min(bytes, same.size()));
  for (; bytes > same.size(); bytes -= same.size(), at += same.size()) {
    if (std::memcmp(at, same.data(), same.size()) != 0) return false;
  }
  return std::memcmp(at, same.data(), bytes) == 0;
}

/// Not looked at by the sanitizers, which would make it a quarter of a fuzz
/// program's time.
__attribute__((no_sanitize("address", "undefined"))) void Invert(
    const std::uint8_t* from, std::size_t bytes, std::uint8_t* to) {
  for (std::size_t i = 0; i < bytes; ++i) {
    to[i] = static_cast<std::uint8_t>(~from[i]);
  }
}

void Add(isa::Memory memory, const std::vector<Region>& regions,
         Touched& touched) {
  for (const Region& region : regions) {
    touched.Add(memory, region.at,
                static_cast<std::int64_t>(region.bytes.size()));
  }
}

MemoryFills FillsBehind(const Case& c, Background background) {
  MemoryFills fills = FillsOf(c);
  if (background == Background::kInvertedFill) {
    for (std::uint8_t& fill : fills) fill = static_cast<std::uint8_t>(~fill);
  }
  return fills;
}

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

FilledMemory::FilledMemory(const Case& c, const MemorySizes& sizes,
                           Background background)
    : fill_(FillsBehind(c, background)), set_(MemorySet::Filled(sizes, fill_)) {
  set_.LayUnder(c, background == Background::kInvertedFill);
}

FilledMemory::~FilledMemory() = default;

bool FilledMemory::IsCleanOutside(const Touched& touched) const {
  bool clean = true;
  touched.ForEachRun([&](const Touched::Run& run, bool is_touched) {
    if (is_touched || !clean) return;
    if (const LazyBytes* const lazy = set_.Lazy(run.memory)) {
      clean = lazy->IsPristine(run.at, run.bytes);
      return;
    }
    clean =
        AllAre(set_[run.memory].data() + run.at, run.bytes, fill_[run.memory]);
  });
  return clean;
}

void FilledMemory::FindTouched(Touched& touched) const {
  Touched found = touched;
  for (isa::Memory memory : kAllMemories) {
    if (set_.Lazy(memory)) AddOpen(memory, *set_.Lazy(memory), found);
  }
  touched.ForEachRun([&](const Touched::Run& run, bool is_touched) {
    if (set_.Lazy(run.memory)) return;
    const std::uint8_t* const bytes = set_[run.memory].data();
    const std::uint8_t fill = fill_[run.memory];
    if (is_touched || AllAre(bytes + run.at, run.bytes, fill)) return;
    const std::size_t end = run.at + run.bytes;
    for (std::size_t at = run.at; at < end; at += Touched::kChunkBytes) {
      const std::size_t size =
          std::min<std::size_t>(Touched::kChunkBytes, end - at);
      if (AllAre(bytes + at, size, fill)) continue;
      found.Add(run.memory, static_cast<std::int64_t>(at),
                static_cast<std::int64_t>(size));
    }
  });
  touched = found;
}

void FilledMemory::Restore(const Touched& touched) {
  touched.ForEach([&](const Touched::Run& run) {
    if (set_.Lazy(run.memory)) return;
    std::memset(set_[run.memory].data() + run.at, fill_[run.memory], run.bytes);
  });
  std::move(set_).KeepFilled(fill_);
}

void AddOpen(isa::Memory memory, const LazyBytes& lazy, Touched& touched) {
  lazy.ForEachOpen([&](std::size_t at, std::size_t bytes) {
    touched.Add(memory, static_cast<std::int64_t>(at),
                static_cast<std::int64_t>(bytes));
  });
}

void AddRegions(const RegionsByMemory& regions, Touched& touched) {
  for (isa::Memory memory : kAllMemories) {
    Add(memory, regions[memory], touched);
  }
}

void AddRegions(const Case& c, Touched& touched) {
  for (isa::Memory memory : kAllMemories) {
    const auto& image = c.memory[memory];
    if (image) Add(memory, image->regions, touched);
  }
}

void CopyTouched(const Touched& touched, const MemorySet& from, MemorySet& to) {
  touched.ForEach([&](const Touched::Run& run) {
    std::memcpy(to[run.memory].data() + run.at,
                from[run.memory].data() + run.at, run.bytes);
  });
}

void InvertTouched(const Touched& touched, const MemorySet& from,
                   MemorySet& to) {
  touched.ForEach([&](const Touched::Run& run) {
    Invert(from[run.memory].data() + run.at, run.bytes,
           to[run.memory].data() + run.at);
  });
}

bool SameTouched(const Touched& touched, const MemorySet& a,
                 const MemorySet& b) {
  bool same = true;
  touched.ForEach([&](const Touched::Run& run) {
    same = same && std::memcmp(a[run.memory].data() + run.at,
                               b[run.memory].data() + run.at, run.bytes) == 0;
  });
  return same;
}

RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now) {
  return ChangedRanges(before, now, ThereInEither(before, now));
}

RegionsByMemory ChangedRanges(const MemorySet& before, const MemorySet& now,
                              const Touched& touched) {
  RegionsByMemory changed;
  touched.ForEach([&](const Touched::Run& run) {
    AddRanges(before[run.memory], now[run.memory], run, changed[run.memory]);
  });
  return changed;
}

MemorySet Overwritten(const Case& c, const RegionsByMemory& regions) {
  MemorySet memory(c);
  WriteRegions(regions, memory);
  return memory;
}

}  // namespace lanediff::diff

#include "differential/memory/memory_set.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "differential/memory/filled_memory.h"

namespace lanediff::diff {
namespace {

using Bytes = std::vector<std::uint8_t, SharedAllocator<std::uint8_t>>;

/// Memories that are no longer used. Without them a comparison spends most of
/// its time on fresh pages from the operating system. Those of a row have space
/// for as many bytes, of which a sanitizer sees as many as are in use. Of some
/// it is known that every byte is the same.
class Shelf {
 public:
  /// `fill`: what its bytes shall be; none where anything will do.
  Bytes Take(std::size_t size, std::optional<std::uint8_t> fill) {
    if (size == 0) return {};
    const std::size_t capacity = std::max(kLeastCapacity, std::bit_ceil(size));
    std::vector<Kept>& row = RowOf(capacity);
    auto best = std::ranges::find(row.rbegin(), row.rend(), fill, &Kept::fill);
    const bool found = best != row.rend();
    if (!found && (row.empty() || (fill && row.size() < kMostOfARow))) {
      Bytes bytes;
      bytes.reserve(capacity);
      bytes.assign(size, fill.value_or(0));
      HideUnused(bytes);
      return bytes;
    }
    // Else the least recently used one.
    if (!found) best = std::prev(row.rend());
    Bytes bytes = std::move(best->bytes);
    row.erase(std::prev(best.base()));
    held_ -= bytes.capacity();
    ASAN_UNPOISON_MEMORY_REGION(bytes.data(), bytes.capacity());
    if (!found && fill) bytes.clear();
    bytes.resize(size, fill.value_or(0));
    HideUnused(bytes);
    return bytes;
  }
  void Put(Bytes&& bytes, std::optional<std::uint8_t> fill) {
    const std::size_t capacity = bytes.capacity();
    if (capacity < kLeastCapacity || held_ + capacity > kMostHeld) return;
    held_ += capacity;
    RowOf(capacity).push_back({std::move(bytes), fill});
  }

 private:
  struct Kept {
    Bytes bytes;
    std::optional<std::uint8_t> fill;
  };

  static constexpr std::size_t kLeastCapacity = 256;
  static constexpr std::size_t kMostHeld = std::size_t{64} << 20;
  /// Enough for two or three fills at a time.
  static constexpr std::size_t kMostOfARow = 24;

  std::vector<Kept>& RowOf(std::size_t capacity) {
    return rows_[static_cast<std::size_t>(std::bit_width(capacity) - 1)];
  }
  static void HideUnused([[maybe_unused]] const Bytes& bytes) {
    ASAN_POISON_MEMORY_REGION(bytes.data() + bytes.size(),
                              bytes.capacity() - bytes.size());
  }

  std::array<std::vector<Kept>, 64> rows_;
  std::size_t held_ = 0;
};

thread_local Shelf shelf;

/// Series of a lazy memory lie under it already.
void Write(isa::Memory memory, const std::vector<Region>& regions,
           MemorySet& set) {
  for (const Region& region : regions) {
    if (region.bytes.empty()) continue;
    std::memcpy(set[memory].data() + region.at, region.bytes.data(),
                region.bytes.size());
  }
}

bool IsLazy(std::size_t size) {
  return size > static_cast<std::size_t>(kMaxWholeBytes);
}

}  // namespace

Touched::Touched(const MemorySizes& sizes) : sizes_(sizes) {
  constexpr std::size_t kWordBytes = kChunkBytes * 64;
  for (std::size_t m = 0; m < words_.size(); ++m) {
    words_[m].resize((sizes[m] + kWordBytes - 1) / kWordBytes);
    used_[m].resize((words_[m].size() + 63) / 64);
  }
}

void Touched::Add(const Touched& other) {
  for (std::size_t m = 0; m < words_.size(); ++m) {
    const auto& words = other.words_[m];
    for (std::size_t i = 0; i < used_[m].size(); ++i) {
      used_[m][i] |= other.used_[m][i];
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      i = other.NextUsed(m, i);
      if (i < words.size()) words_[m][i] |= words[i];
    }
  }
}

void Touched::Clear() {
  for (std::size_t m = 0; m < words_.size(); ++m) {
    for (std::size_t i = 0; i < words_[m].size(); ++i) {
      i = NextUsed(m, i);
      if (i < words_[m].size()) words_[m][i] = 0;
    }
    std::ranges::fill(used_[m], std::uint64_t{0});
  }
}

MemorySizes SizesOf(const Case& c) {
  MemorySizes sizes{};
  const auto exists = MemoriesOf(c);
  for (isa::Memory m : kAllMemories) {
    if (exists[m]) sizes[m] = static_cast<std::size_t>(SizeOf(c, m));
  }
  return sizes;
}

MemoryFills FillsOf(const Case& c) {
  MemoryFills fills{};
  for (std::size_t m = 0; m < fills.size(); ++m) {
    if (c.memory[m]) fills[m] = c.memory[m]->fill;
  }
  return fills;
}

MemorySet::MemorySet(const Case& c)
    : MemorySet(Filled(SizesOf(c), FillsOf(c))) {
  LayUnder(c, false);
  WriteRegions(c, *this);
}

MemorySet::MemorySet(const MemorySet& other) {
  for (std::size_t m = 0; m < bytes_.size(); ++m) {
    if (const auto& lazy = other.lazy_[m]) {
      lazy_[m] = std::make_unique<LazyBytes>(*lazy);
      continue;
    }
    const Bytes& from = other.bytes_[m];
    bytes_[m] = shelf.Take(from.size(), std::nullopt);
    // The algorithms of the library go byte by byte where a sanitizer looks on.
    if (!from.empty()) std::memcpy(bytes_[m].data(), from.data(), from.size());
  }
}

MemorySet::~MemorySet() {
  for (Bytes& bytes : bytes_) shelf.Put(std::move(bytes), std::nullopt);
}

MemorySet MemorySet::Filled(const MemorySizes& sizes,
                            const MemoryFills& fills) {
  MemorySet set;
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    if (IsLazy(sizes[m])) {
      set.lazy_[m] = std::make_unique<LazyBytes>(sizes[m], fills[m]);
    } else if (sizes[m] > 0) {
      set.bytes_[m] = shelf.Take(sizes[m], fills[m]);
    }
  }
  return set;
}

void MemorySet::LayUnder(const Case& c, bool inverted) {
  for (std::size_t m = 0; m < lazy_.size(); ++m) {
    if (lazy_[m]) lazy_[m]->LayUnder(c.memory[m]->regions, inverted);
  }
}

void MemorySet::KeepFilled(const MemoryFills& fills) && {
  for (std::size_t m = 0; m < bytes_.size(); ++m) {
    shelf.Put(std::exchange(bytes_[m], {}), fills[m]);
  }
}

void WriteRegions(const RegionsByMemory& regions, MemorySet& set) {
  for (isa::Memory memory : kAllMemories) {
    Write(memory, regions[memory], set);
  }
}

void WriteRegions(const Case& c, MemorySet& set) {
  for (isa::Memory memory : kAllMemories) {
    const auto& image = c.memory[memory];
    if (image) Write(memory, image->regions, set);
  }
}

MemorySizes MemorySet::sizes() const {
  MemorySizes sizes{};
  for (isa::Memory m : kAllMemories) sizes[m] = (*this)[m].size();
  return sizes;
}

bool MemorySet::operator==(const MemorySet& other) const {
  return sizes() == other.sizes() &&
         SameTouched(ThereInEither(*this, other), *this, other);
}

Touched ThereInEither(const MemorySet& a, const MemorySet& b) {
  Touched there(a.sizes());
  for (isa::Memory memory : kAllMemories) {
    if (!a.Lazy(memory)) {
      there.Add(memory, 0, std::ssize(a[memory]));
      continue;
    }
    AddOpen(memory, *a.Lazy(memory), there);
    AddOpen(memory, *b.Lazy(memory), there);
  }
  return there;
}

void CopyAll(const MemorySet& from, MemorySet& to) {
  CopyTouched(ThereInEither(from, to), from, to);
}

isa::Memories MemorySet::view() {
  isa::Memories memories;
  for (isa::Memory memory : kAllMemories) memories[memory] = (*this)[memory];
  return memories;
}

}  // namespace lanediff::diff

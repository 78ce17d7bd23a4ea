#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "differential/memory/lazy_bytes.h"
#include "differential/memory/shared_arena.h"
#include "differential/testcase/case.h"
#include "isa/memories.h"

namespace lanediff::diff {

/// Bytes of each memory, 0 of those that are not there.
using MemorySizes = isa::PerMemory<std::size_t>;
/// What each memory is filled with.
using MemoryFills = isa::PerMemory<std::uint8_t>;

MemorySizes SizesOf(const Case& c);
MemoryFills FillsOf(const Case& c);

/// Which bytes of a case's memories something has been done with, rounded up to
/// chunks. All others still are what they were filled with, so that setting up,
/// comparing and cleaning need not copy them.
class Touched {
 public:
  static constexpr std::int64_t kChunkBytes = 256;

  /// Consecutive bytes of one memory.
  struct Run {
    isa::Memory memory;
    std::size_t at;
    std::size_t bytes;
  };

  /// Of memories with these sizes in bytes; no byte touched.
  explicit Touched(const MemorySizes& sizes);

  /// Adds `bytes` bytes from `at` on, which lie in the memory.
  void Add(isa::Memory memory, std::int64_t at, std::int64_t bytes) {
    if (bytes <= 0) return;
    auto& words = words_[memory];
    auto& used = used_[memory];
    const std::int64_t last = (at + bytes - 1) / kChunkBytes;
    for (std::int64_t chunk = at / kChunkBytes; chunk <= last; ++chunk) {
      words[static_cast<std::size_t>(chunk / 64)] |= std::uint64_t{1}
                                                     << (chunk % 64);
      used[static_cast<std::size_t>(chunk / 4096)] |= std::uint64_t{1}
                                                      << (chunk / 64 % 64);
    }
  }
  void Add(const Touched& other);
  void Clear();

  /// Calls `visit(run, touched)` for every memory from its first byte to its
  /// last, for runs of touched and of untouched chunks in turn.
  template <class Visit>
  void ForEachRun(Visit visit) const {
    for (std::size_t m = 0; m < words_.size(); ++m) {
      const std::size_t chunks = (sizes_[m] + kChunkBytes - 1) / kChunkBytes;
      for (std::size_t chunk = 0; chunk < chunks;) {
        const bool touched = At(m, chunk);
        const std::size_t end = EndOfRun(m, chunk, chunks, touched);
        const std::size_t at = chunk * kChunkBytes;
        visit(Run{static_cast<isa::Memory>(m), at,
                  std::min(end * kChunkBytes, sizes_[m]) - at},
              touched);
        chunk = end;
      }
    }
  }
  /// Calls `visit(run)` for the touched ones.
  template <class Visit>
  void ForEach(Visit visit) const {
    ForEachRun([&](const Run& run, bool touched) {
      if (touched) visit(run);
    });
  }

 private:
  bool At(std::size_t m, std::size_t chunk) const {
    return (words_[m][chunk / 64] >> (chunk % 64) & 1) != 0;
  }
  /// First chunk from `chunk` on that differs from `touched`, at most `chunks`.
  std::size_t EndOfRun(std::size_t m, std::size_t chunk, std::size_t chunks,
                       bool touched) const {
    const std::uint64_t same = touched ? ~std::uint64_t{0} : 0;
    while (chunk < chunks) {
      if (!touched && chunk % 64 == 0) {
        chunk = 64 * NextUsed(m, chunk / 64);
        if (chunk >= chunks) return chunks;
      }
      const std::uint64_t others =
          (words_[m][chunk / 64] ^ same) >> (chunk % 64);
      if (others != 0) {
        return std::min(
            chunks, chunk + static_cast<std::size_t>(std::countr_zero(others)));
      }
      chunk = (chunk / 64 + 1) * 64;
    }
    return chunks;
  }

  /// The first word from `word` on that is not zero, or one behind all.
  std::size_t NextUsed(std::size_t m, std::size_t word) const {
    const auto& used = used_[m];
    std::size_t i = word / 64;
    std::uint64_t bits = used[i] >> (word % 64) << (word % 64);
    while (bits == 0) {
      if (++i == used.size()) return words_[m].size();
      bits = used[i];
    }
    return i * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }

  MemorySizes sizes_;
  /// A bit for each chunk, and one for each word of them that is not zero: of a
  /// memory of 1 GiB only those are looked at.
  isa::PerMemory<std::vector<std::uint64_t>> words_;
  isa::PerMemory<std::vector<std::uint64_t>> used_;
};

/// The memories of one side of a comparison, filled as a case states. Those of
/// more than `kMaxWholeBytes` are made where they are touched.
class MemorySet {
 public:
  explicit MemorySet(const Case& c);
  MemorySet(const MemorySet& other);
  MemorySet(MemorySet&&) noexcept = default;
  MemorySet& operator=(const MemorySet& other) {
    return *this = MemorySet(other);
  }
  MemorySet& operator=(MemorySet&&) noexcept = default;
  ~MemorySet();

  /// Memories of `sizes` bytes, all of which are `fills`. Costs nothing where a
  /// set that was kept has them (differential/memory/filled_memory.h).
  static MemorySet Filled(const MemorySizes& sizes, const MemoryFills& fills);
  /// Lays the series of `c`, or their complement, under the memories that are
  /// made where they are touched. Of a set that is filled as `c` states.
  void LayUnder(const Case& c, bool inverted);
  /// Keeps the memories, all bytes of which are `fills`, for such a set.
  void KeepFilled(const MemoryFills& fills) &&;

  /// A view for an implementation; valid while this set lives and is not moved.
  isa::Memories view();

  std::span<std::uint8_t> operator[](isa::Memory memory) {
    return lazy_[memory] ? lazy_[memory]->bytes() : std::span(bytes_[memory]);
  }
  std::span<const std::uint8_t> operator[](isa::Memory memory) const {
    if (lazy_[memory]) return lazy_[memory]->bytes();
    return bytes_[memory];
  }

  /// The memory if it is made where it is touched, else null.
  const LazyBytes* Lazy(isa::Memory memory) const {
    return lazy_[memory].get();
  }
  MemorySizes sizes() const;

  /// Every byte; of two sets that were made for one case.
  bool operator==(const MemorySet& other) const;

 private:
  MemorySet() = default;

  isa::PerMemory<std::vector<std::uint8_t, SharedAllocator<std::uint8_t>>>
      bytes_;
  isa::PerMemory<std::unique_ptr<LazyBytes>> lazy_;
};

/// Where two sets that were made for one case may differ: all that is there, of
/// lazy memories what was touched in either.
Touched ThereInEither(const MemorySet& a, const MemorySet& b);

/// Writes `regions`, or those that the case begins with.
void WriteRegions(const RegionsByMemory& regions, MemorySet& set);
void WriteRegions(const Case& c, MemorySet& set);

/// Makes every byte of `to` that of `from`; both were made for one case.
void CopyAll(const MemorySet& from, MemorySet& to);

/// Every memory in turn.
inline constexpr std::array<isa::Memory, isa::kCount<isa::Memory>>
    kAllMemories = {isa::Memory::kGm,  isa::Memory::kUb, isa::Memory::kL1,
                    isa::Memory::kL0c, isa::Memory::kBt, isa::Memory::kFb};

}  // namespace lanediff::diff

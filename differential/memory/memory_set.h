#pragma once

#include <array>
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
using MemorySizes = std::array<std::size_t, isa::kCount<isa::Memory>>;
/// What each memory is filled with.
using MemoryFills = std::array<std::uint8_t, isa::kCount<isa::Memory>>;

MemorySizes SizesOf(const Case& c);
MemoryFills FillsOf(const Case& c);

class Touched;

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
    const auto m = static_cast<std::size_t>(memory);
    return lazy_[m] ? lazy_[m]->bytes() : std::span(bytes_[m]);
  }
  std::span<const std::uint8_t> operator[](isa::Memory memory) const {
    const auto m = static_cast<std::size_t>(memory);
    return lazy_[m] ? std::span<const std::uint8_t>(lazy_[m]->bytes())
                    : std::span<const std::uint8_t>(bytes_[m]);
  }

  /// The memory if it is made where it is touched, else null.
  const LazyBytes* Lazy(isa::Memory memory) const {
    return lazy_[static_cast<std::size_t>(memory)].get();
  }
  MemorySizes sizes() const;

  /// Every byte; of two sets that were made for one case.
  bool operator==(const MemorySet& other) const;

 private:
  MemorySet() = default;

  std::array<std::vector<std::uint8_t, SharedAllocator<std::uint8_t>>,
             isa::kCount<isa::Memory>>
      bytes_;
  std::array<std::unique_ptr<LazyBytes>, isa::kCount<isa::Memory>> lazy_;
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

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "diff/case.h"
#include "isa/memories.h"

namespace lanediff::diff {

/// Bytes of each memory, 0 of those that are not there.
using MemorySizes = std::array<std::size_t, isa::kCount<isa::Memory>>;
/// What each memory is filled with.
using MemoryFills = std::array<std::uint8_t, isa::kCount<isa::Memory>>;

MemorySizes SizesOf(const Case& c);
MemoryFills FillsOf(const Case& c);

/// The memories of one side of a comparison, filled as a case says.
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
  /// set that was kept has them (diff/filled_memory.h).
  static MemorySet Filled(const MemorySizes& sizes, const MemoryFills& fills);
  /// Keeps the memories, all bytes of which are `fills`, for such a set.
  void KeepFilled(const MemoryFills& fills) &&;

  /// A view for an implementation; valid while this set lives and is not moved.
  isa::Memories view();

  std::vector<std::uint8_t>& operator[](isa::Memory memory) {
    return bytes_[static_cast<std::size_t>(memory)];
  }
  const std::vector<std::uint8_t>& operator[](isa::Memory memory) const {
    return bytes_[static_cast<std::size_t>(memory)];
  }

  bool operator==(const MemorySet&) const = default;

 private:
  MemorySet() = default;

  std::array<std::vector<std::uint8_t>, isa::kCount<isa::Memory>> bytes_;
};

/// Writes `regions`, or those that the case begins with.
void WriteRegions(const RegionsByMemory& regions, MemorySet& set);
void WriteRegions(const Case& c, MemorySet& set);

/// Copies all of `from` to `to`, which is as long. The algorithms of the
/// library go byte by byte where a sanitizer looks on.
void CopyAll(const std::vector<std::uint8_t>& from,
             std::vector<std::uint8_t>& to);

/// Every memory in turn.
inline constexpr std::array<isa::Memory, isa::kCount<isa::Memory>>
    kAllMemories = {isa::Memory::kGm,  isa::Memory::kUb, isa::Memory::kL1,
                    isa::Memory::kL0c, isa::Memory::kBt, isa::Memory::kFb};

}  // namespace lanediff::diff

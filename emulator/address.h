#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "isa/operand.h"
#include "isa/vocabulary.h"

/// Addresses and windows. Cases hold any 64-bit offset, so sums of offsets are
/// formed in 128 bits until a window has been found to lie in its memory.
namespace lanediff::emulator {

__extension__ using Wide = __int128;

inline constexpr std::int64_t kBlockBytes = 32;  // one DataBlock
inline constexpr int kBlocksPerIteration = 8;

/// A half-open range of bytes.
struct Extent {
  Wide begin = 0;
  Wide end = 0;

  bool empty() const { return begin >= end; }
  bool Inside(const Extent& outer) const {
    return empty() || (outer.begin <= begin && end <= outer.end);
  }
  bool Meets(const Extent& other) const {
    return !empty() && !other.empty() && begin < other.end && other.begin < end;
  }
};

inline Extent WindowOf(const isa::Operand& operand) {
  return {operand.at, Wide{operand.at} + operand.bytes};
}

/// Whether the window lies in a memory of `size` bytes, an empty one included.
inline bool WindowFits(const isa::Operand& operand, std::size_t size) {
  return operand.at >= 0 && operand.bytes >= 0 &&
         WindowOf(operand).end <= static_cast<Wide>(size);
}

/// The physical memory behind a position.
isa::Memory MemoryOf(isa::Product product, isa::Position position);

/// Whether `position` is one of the Unified Buffer's queue positions.
constexpr bool IsVectorPosition(isa::Position position) {
  return position == isa::Position::kVecin ||
         position == isa::Position::kVeccalc ||
         position == isa::Position::kVecout;
}

constexpr bool InRange(std::int64_t value, std::int64_t low,
                       std::int64_t high) {
  return low <= value && value <= high;
}

/// Unaligned little-endian access. What lies outside the memory reads as zero
/// and swallows writes; a legal call never gets there.
template <class T>
T Load(std::span<const std::uint8_t> memory, std::int64_t at) {
  T value{};
  if (at >= 0 && at <= static_cast<std::int64_t>(memory.size() - sizeof(T))) {
    std::memcpy(&value, memory.data() + at, sizeof(T));
  }
  return value;
}

template <class T>
void Store(std::span<std::uint8_t> memory, std::int64_t at, T value) {
  if (at >= 0 && at <= static_cast<std::int64_t>(memory.size() - sizeof(T))) {
    std::memcpy(memory.data() + at, &value, sizeof(T));
  }
}

}  // namespace lanediff::emulator

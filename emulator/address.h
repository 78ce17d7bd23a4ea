#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/blocks.h"
#include "emulator/state.h"
#include "isa/call.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Addresses and windows. Cases hold any 64-bit offset, so sums of offsets are
/// formed in 128 bits until a window has been found to lie in its memory.
namespace lanediff::emulator {

__extension__ using Wide = __int128;

inline constexpr std::int64_t kBlockBytes = 32;  // one DataBlock
inline constexpr int kBlocksPerIteration = 8;
inline constexpr std::int64_t kIterationBytes =
    kBlocksPerIteration * kBlockBytes;

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

/// Adds the rules that a call is found to break to one set: a set of its own
/// for each question would cost more than the question.
struct BrokenRules {
  const isa::Call& call;
  isa::RuleSet& rules;

  void AddIf(bool condition, isa::CallRule rule) {
    if (condition) rules.Add(call.Rule(rule));
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

/// *-BOUNDS for one operand: whether its window leaves the memory of
/// `memory_bytes`, or what the call touches leaves the window.
inline bool OutOfBounds(const isa::Operand& operand, const Extent& touched,
                        std::size_t memory_bytes) {
  return !WindowFits(operand, memory_bytes) ||
         !touched.Inside(WindowOf(operand));
}

/// Bytes from the first to the last one of `blocks`.
inline Extent ExtentOf(const Blocks& blocks) {
  if (blocks.empty()) return {};
  const Wide last = Wide{blocks.begin} + Wide{blocks.count - 1} * blocks.stride;
  return {blocks.begin, last + blocks.bytes};
}

/// One operand of a vector instruction, in bytes: block b of iteration r starts
/// at `at + r * repeat_stride + b * block_stride`.
struct VectorOperand {
  std::int64_t at = 0;
  std::int64_t block_stride = 0;
  std::int64_t repeat_stride = 0;
  std::int64_t element_bytes = 0;  ///< of lane-wise calls
  bool is_packed = false;          ///< a bit of each lane

  std::int64_t BlockAt(std::int64_t iteration, int block) const {
    return at + iteration * repeat_stride + block * block_stride;
  }
};

/// Bytes from the first to the last one of an iteration's `lanes`, of which
/// there is at least one, relative to the iteration's first block. The stride
/// is 0 or leads past a block.
Extent LanesExtent(const LaneMask& lanes, std::int64_t element_bytes,
                   std::int64_t block_stride);

constexpr std::int64_t ElementBytes(isa::DType type) {
  // int8 uint8 int16 uint16 int32 uint32 int64 uint64 half bfloat16 float
  // double
  constexpr std::array<std::uint8_t, isa::kCount<isa::DType>> kBytes = {
      1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

/// Whether `operand` (or tile) has the type `type`: its own or the step's.
constexpr bool TypeIs(const auto& operand, isa::DType type) {
  return !operand.dtype || *operand.dtype == type;
}

/// The physical memory behind a position.
isa::Memory MemoryOf(isa::Product product, isa::Position position);

/// Bytes of `memory` on `product`; as many as there are for GM, which has no
/// limit of its own.
std::int64_t CapacityOf(isa::Product product, isa::Memory memory);

/// Bytes of `memory` that a call may touch: those that the program was given,
/// up to the product's capacity.
std::size_t BytesOf(const State& state, isa::Memory memory);

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

/// The same for any number of bytes, all or nothing.
inline void LoadBytes(std::span<const std::uint8_t> memory, std::int64_t at,
                      std::span<std::uint8_t> bytes) {
  if (at >= 0 && at <= static_cast<std::int64_t>(memory.size()) -
                           static_cast<std::int64_t>(bytes.size())) {
    std::copy_n(memory.data() + at, bytes.size(), bytes.data());
  } else {
    std::ranges::fill(bytes, std::uint8_t{0});
  }
}

inline void StoreBytes(std::span<std::uint8_t> memory, std::int64_t at,
                       std::span<const std::uint8_t> bytes) {
  if (at >= 0 && at <= static_cast<std::int64_t>(memory.size()) -
                           static_cast<std::int64_t>(bytes.size())) {
    std::copy_n(bytes.data(), bytes.size(), memory.data() + at);
  }
}

}  // namespace lanediff::emulator

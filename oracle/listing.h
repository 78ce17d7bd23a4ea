#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/vocabulary.h"

/// Bytes that a call reads and writes, as exact addresses: first against their
/// windows, then, inside them, as marks in flat arrays.
namespace lanediff::oracle {

/// An address, or an offset between two. A case's offsets fill 64 bits, so 128
/// are enough wherever what is added to one stays below 2^126; code that
/// computes an address proves that it does.
__extension__ typedef __int128 Address;

/// Integers of a call may be anything. From here on they lead out of every
/// memory (below 2^47 bytes), whatever `at` is added: 2^63 bytes and more for a
/// number that counts DataBlocks, and for any other once the first iteration,
/// or block, is known to be inside.
inline constexpr std::int64_t kFar = std::int64_t{1} << 59;
/// As many iterations or blocks, one byte apart, lead out of every memory too.
inline constexpr std::int64_t kMany = std::int64_t{1} << 50;

/// A stride, gap or length for computing addresses: no further than `kFar`, so
/// that its product with up to `kMany` and a unit of up to 512 bytes stays
/// below 2^118, and whether a byte lies in a memory does not change.
constexpr std::int64_t Near(std::int64_t value) {
  return value < -kFar ? -kFar : value > kFar ? kFar : value;
}
/// A number of iterations, likewise.
constexpr std::int64_t NotTooMany(std::int64_t count) {
  return count > kMany ? kMany : count;
}

/// Whether the operand's window lies inside `memory`: BOUNDS, first half.
bool WindowIsInMemory(const isa::Operand& operand, isa::Memory memory,
                      const isa::Memories& memories);

/// Whether the bytes [first, first + count) lie in the operand's window:
/// BOUNDS, second half.
bool RunIsInWindow(const isa::Operand& operand, Address first,
                   std::int64_t count);

/// A mark for each byte of the range [first, end) of one memory, none set at
/// the start. The range must lie inside a memory, which keeps the array
/// bounded.
class ByteMarks {
 public:
  ByteMarks(Address first, Address end);

  /// Marks [at, at + count), which must lie in the range.
  void Mark(Address at, std::int64_t count);

  /// Removes the marks of [at, at + count), which must lie in the range.
  void Clear(Address at, std::int64_t count);

  /// Whether a byte of [at, at + count) is marked; outside the range none is.
  bool Any(Address at, std::int64_t count) const;

 private:
  Address first_;
  Address end_;
  std::vector<std::uint64_t> words_;  ///< a bit for each byte, lowest first
};

// ---- Runs of bytes that copies read and write -------------------------------

/// Bytes [at, at + bytes) of a memory.
struct ByteRun {
  Address at = 0;
  std::int64_t bytes = 0;

  Address end() const { return at + bytes; }
  bool operator==(const ByteRun&) const = default;
};

/// The same bytes as runs that ascend and neither overlap nor touch.
std::vector<ByteRun> Merged(std::vector<ByteRun> runs);

/// Whether the two lists share a byte. Both ascend and don't overlap in
/// themselves.
bool ShareBytes(const std::vector<ByteRun>& a, const std::vector<ByteRun>& b);

// ---- Elements in memory, little endian, all bytes inside --------------------

/// The `bytes` bytes from `at` on, as the low bits of a word.
inline std::uint64_t Load(std::span<const std::uint8_t> memory, Address at,
                          std::int64_t bytes) {
  const std::uint8_t* const byte =
      memory.data() + static_cast<std::int64_t>(at);
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < bytes; ++i) {
    bits |= std::uint64_t{byte[i]} << (8 * i);
  }
  return bits;
}

/// Writes the low `bytes` bytes of `bits` to `at`.
inline void Store(std::span<std::uint8_t> memory, Address at,
                  std::int64_t bytes, std::uint64_t bits) {
  std::uint8_t* const byte = memory.data() + static_cast<std::int64_t>(at);
  for (std::int64_t i = 0; i < bytes; ++i) {
    byte[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

}  // namespace lanediff::oracle

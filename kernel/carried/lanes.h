#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "kernel/carried/carried.h"
#include "kernel/carried/parameters.h"

/// Which lanes of which iterations take part, and where they are.
///
/// An iteration is 256 bytes, 8 DataBlocks of 32. Lane k of iteration r is, of
/// an operand whose DataBlock holds n elements, element k mod n of the block at
/// r · repeat + k / n · block; strides count DataBlocks. A call whose operands
/// are of different widths has as many lanes as the widest has elements in an
/// iteration (Cast · 约束说明).
namespace lanediff::kernel::carried {

inline constexpr std::int64_t kBlockBytes = 32;
inline constexpr std::int64_t kIterationBytes = 256;
/// More elements than any local memory holds: further accesses of a call are
/// not listed, as that much is out of bounds already.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 20;

struct Lanes {
  std::int64_t iterations = 0;
  std::int64_t width = 0;  ///< lanes of a whole iteration
  /// Count form: lanes lie one behind the other, in one iteration.
  bool contiguous = false;
  /// Not negative: the first lanes of each iteration take part; `last` of the
  /// last one.
  std::int64_t first = -1;
  std::int64_t last = -1;
  /// Else those of `mask`.
  std::array<std::uint64_t, 2> mask = {0, 0};

  /// Lanes that take part in iteration `r`.
  std::int64_t Count(std::int64_t r) const {
    if (first >= 0) return r + 1 == iterations ? last : first;
    return std::popcount(mask[0]) + std::popcount(mask[1]);
  }

  /// Calls visit(first, count) for each run of neighbours in iteration `r`.
  template <class Visit>
  void ForRuns(std::int64_t r, const Visit& visit) const {
    if (first >= 0) {
      if (Count(r) > 0) visit(std::int64_t{0}, Count(r));
      return;
    }
    const auto on = [&](std::int64_t lane) {
      return lane < 128 && (mask[lane / 64] >> (lane % 64) & 1) != 0;
    };
    for (std::int64_t lane = 0; lane < 128; ++lane) {
      if (!on(lane)) continue;
      const std::int64_t begin = lane;
      while (on(lane)) ++lane;
      visit(begin, lane - begin);
    }
  }
};

/// Where the lanes of an operand are.
struct Place {
  std::int64_t bits = 0;    ///< of an element
  std::int64_t block = 1;   ///< DataBlocks from block to block
  std::int64_t repeat = 8;  ///< DataBlocks from iteration to iteration

  /// Calls visit(offset, bytes) for each run of bytes of the lanes
  /// [first, first + count) of iteration `r`, up to the first one that ends
  /// beyond `limit`; offsets count from lane 0 of iteration 0.
  template <class Visit>
  void ForBytes(
      std::int64_t r, std::int64_t first, std::int64_t count,
      const Visit& visit,
      std::int64_t limit = std::numeric_limits<std::int64_t>::max()) const {
    const std::int64_t start = r * repeat * kBlockBytes;
    if (block == 1) {
      visit(start + first * bits / 8, count * bits / 8);
      return;
    }
    const std::int64_t in_block = kBlockBytes * 8 / bits;
    while (count > 0) {
      const std::int64_t number = first / in_block;
      const std::int64_t within = first % in_block;
      const std::int64_t here =
          count < in_block - within ? count : in_block - within;
      const std::int64_t at =
          start + number * block * kBlockBytes + within * bits / 8;
      visit(at, here * bits / 8);
      if (at + here * bits / 8 > limit) return;
      first += here;
      count -= here;
    }
  }
};

/// The lanes of `call`, whose widest element has `bits` bits; ranges of count,
/// a multiple of `multiple`, of mask and of repeatTime go to `parameters`, mask
/// state to its plan.
Lanes LanesOf(Parameters& parameters, std::int64_t bits,
              std::int64_t multiple = 1);

/// How many elements counter mode works on: from the call's own mask, or the
/// register's. Nothing in normal mode.
std::optional<std::int64_t> CounterElements(Parameters& parameters);

/// A mask of the first `count` lanes.
std::array<std::uint64_t, 2> FirstBits(std::int64_t count);

/// The mask of a call in normal mode, its own or the register's, cut to the
/// lanes of `bits`; ranges go to `parameters`.
std::array<std::uint64_t, 2> MaskOf(Parameters& parameters, std::int64_t bits);

/// Records the mask and mode behind the call, and whether it read them.
void RecordMask(Parameters& parameters, std::array<std::uint64_t, 2> mask);

/// repeatTime, repeatTimes or repeat, [0, high].
std::int64_t RepeatTime(Parameters& parameters, std::int64_t high = 255);

/// Adds to the plan what the lanes of operand `operand` touch in iteration
/// `iteration`, of what lies beyond its window the first run alone.
void Touches(const CarriedCall& call, std::uint32_t operand, const Lanes& lanes,
             const Place& place, std::int64_t iteration,
             std::vector<Touch>& touches);

// ---- Pieces that lie where parameters or other operands specify -------------

/// A number that lies `offset` bytes into an operand; nothing beyond what may
/// be read of it.
template <class T>
std::optional<T> NumberAt(const CarriedOperand& operand, std::int64_t offset) {
  if (offset < 0 ||
      offset + static_cast<std::int64_t>(sizeof(T)) > operand.readable) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, operand.bytes + offset, sizeof value);
  return value;
}

/// Whether the bytes leave the operand's window.
inline bool IsOutside(const CarriedOperand& operand, std::int64_t offset,
                      std::int64_t bytes) {
  return offset < 0 || offset + bytes > operand.window;
}

/// What a call touches, iteration by iteration: listed where the call is
/// planned, else there to be read and written.
class CallMemory {
 public:
  /// Lists in `plan`, unless that is null.
  explicit CallMemory(const CarriedCall& call, CarriedPlan* plan = nullptr);

  const CarriedCall& call() const { return call_; }
  CarriedPlan* plan() const { return plan_; }

  /// Whether what was listed since the last call leaves a window: the call is
  /// rejected whatever follows, and nothing more is listed (CarriedPlan::cut).
  /// Of a call that breaks KRN-RANGE no more than a few iterations are.
  bool Left();
  /// What follows is of this iteration; false if `Left`.
  bool Begin(std::int64_t iteration) {
    if (Left()) return false;
    SetIteration(iteration);
    return true;
  }
  void SetIteration(std::int64_t iteration) { iteration_ = iteration; }

  /// The bytes that lie `offset` bytes into an operand; null where they are
  /// listed.
  const std::uint8_t* Read(std::uint32_t operand, std::int64_t offset,
                           std::int64_t bytes) {
    return At(operand, offset, bytes, &CarriedPlan::reads);
  }
  std::uint8_t* Write(std::uint32_t operand, std::int64_t offset,
                      std::int64_t bytes) {
    return At(operand, offset, bytes, &CarriedPlan::writes);
  }

 private:
  std::uint8_t* At(std::uint32_t operand, std::int64_t offset,
                   std::int64_t bytes,
                   std::vector<Touch> CarriedPlan::* touches);

  const CarriedCall& call_;
  CarriedPlan* plan_;
  std::int64_t iteration_ = 0;
  std::size_t reads_ = 0;  ///< looked at by `Left`
  std::size_t writes_ = 0;
  bool left_ = false;
  bool rejected_ = false;
  std::int64_t calls_ = 0;  ///< of `Left`
};

/// From one place to another, piece by piece.
struct Pieces {
  struct Piece {
    std::uint32_t from_operand = 0;
    std::uint32_t to_operand = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t offset = -1;  ///< where its number stands, if in a tensor
  };
  /// The tensor of numbers: each has four bytes.
  std::optional<std::uint32_t> offsets;
  /// Each reads before it writes.
  std::vector<std::vector<Piece>> iterations;
};

/// Lists or moves them.
std::uint64_t RunPieces(CallMemory& memory, const Pieces& pieces,
                        VectorState& state);

}  // namespace lanediff::kernel::carried

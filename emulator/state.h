#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/blocks.h"
#include "emulator/path.h"
#include "emulator/pipe_clocks.h"
#include "isa/memories.h"
#include "isa/vocabulary.h"

namespace lanediff::emulator {

/// The lanes of one iteration as bits: bit i of `low` is lane i, bit i of
/// `high` lane 64 + i.
struct LaneMask {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  /// The first `n` lanes; none for a negative `n`, all from 128 on.
  static constexpr LaneMask First(std::int64_t n) {
    return {.low = Ones(n), .high = n > 64 ? Ones(n - 64) : 0};
  }

  constexpr bool empty() const { return (low | high) == 0; }

  /// The first and the last lane of a mask that is not empty.
  constexpr int Lowest() const {
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  }
  constexpr int Highest() const {
    return high != 0 ? 127 - std::countl_zero(high)
                     : 63 - std::countl_zero(low);
  }

  /// Bits `first` to `first + count - 1`; `first` a multiple of `count`, which
  /// divides 64.
  constexpr std::uint64_t Slice(int first, int count) const {
    if (first >= 128) return 0;
    const std::uint64_t word = first < 64 ? low : high;
    return (word >> (first % 64)) & Ones(count);
  }

  bool operator==(const LaneMask&) const = default;

 private:
  static constexpr std::uint64_t Ones(std::int64_t n) {
    return n <= 0 ? 0 : ~std::uint64_t{0} >> (n < 64 ? 64 - n : 0);
  }
};

/// What an executed copy writes, until something later on its pipe is known
/// to start after its end.
struct CopyUnderWay {
  isa::Pipe pipe;
  isa::Memory memory;
  Blocks destination;
  std::uint32_t step = 0;  ///< of the copy
};

/// A flag that is set, and what is over for who waits for it.
struct FlagUp {
  isa::Event event;
  std::int64_t id;
  PipeClocks::Row carried;
};

/// Machine state between steps.
struct State {
  isa::Product product;
  isa::Edition edition = isa::kNewestEdition;
  isa::Memories memories;
  LaneMask mask_register = LaneMask::First(128);
  bool saturation = true;
  /// Grows past the space that was made for it only in programs with more
  /// copies than were announced (Emulator::MakeSpaceFor).
  std::vector<CopyUnderWay> copies_under_way = {};
  /// STATE-MASK-MODE.
  bool counter_mode = false;
  std::uint32_t step = 0;  ///< number of the step at hand
  PipeClocks clocks = {};
  std::vector<FlagUp> flags = {};
  PathCounts paths = {};
};

}  // namespace lanediff::emulator

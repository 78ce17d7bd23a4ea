#pragma once

#include <cstdint>

#include "isa/memories.h"
#include "isa/vocabulary.h"

namespace lanediff::emulator {

/// The lanes of one iteration as bits: bit i of `low` is lane i, bit i of
/// `high` lane 64 + i.
struct LaneMask {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  /// The first `n` lanes, 0 ≤ n ≤ 128.
  static constexpr LaneMask First(std::int64_t n) {
    constexpr auto ones = [](std::int64_t count) {
      return count >= 64 ? ~std::uint64_t{0}
                         : (std::uint64_t{1} << count) - std::uint64_t{1};
    };
    return {.low = ones(n), .high = n > 64 ? ones(n - 64) : 0};
  }

  constexpr bool empty() const { return (low | high) == 0; }

  /// Bits `first` to `first + count - 1`; `first` a multiple of `count`, which
  /// divides 64.
  constexpr std::uint64_t Slice(int first, int count) const {
    const std::uint64_t word = first < 64 ? low : high;
    return (word >> (first % 64)) & ((std::uint64_t{1} << count) - 1);
  }

  bool operator==(const LaneMask&) const = default;
};

/// Machine state between steps.
struct State {
  isa::Product product;
  isa::Memories memories;
  LaneMask mask_register = LaneMask::First(128);
  bool saturation = true;
};

}  // namespace lanediff::emulator

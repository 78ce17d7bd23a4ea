#pragma once

#include <cstdint>

namespace lanediff::emulator {

/// `count` blocks of `bytes` bytes each; block i starts at `begin + i *
/// stride`. All are nonnegative but `begin`.
struct Blocks {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t stride = 0;
  std::int64_t count = 0;

  bool empty() const { return bytes == 0 || count == 0; }
};

/// Whether a block of `a` and a block of `b` have a byte in common. Both lie in
/// a memory; takes time logarithmic in the strides, however many blocks.
bool Meet(Blocks a, Blocks b);

}  // namespace lanediff::emulator

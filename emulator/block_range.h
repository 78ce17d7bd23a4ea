#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/address.h"

namespace lanediff::emulator {

/// DataBlocks of an iteration as bits.
using BlockSet = std::uint32_t;

/// The blocks with a lane of `lanes`, of which each has `lanes_per_block`.
inline BlockSet BlocksOf(const LaneMask& lanes, int lanes_per_block) {
  BlockSet blocks = 0;
  for (int b = 0; b < kBlocksPerIteration; ++b) {
    const bool any = lanes.Slice(b * lanes_per_block, lanes_per_block) != 0;
    blocks |= BlockSet{any} << b;
  }
  return blocks;
}

/// Bytes from the first to the last one of whole blocks of a legal call.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool Inside(std::size_t memory_bytes) const {
    return begin >= 0 && end <= static_cast<std::int64_t>(memory_bytes);
  }
};

/// `blocks` of `operand` in all of `iterations`; neither is empty.
inline ByteRange RangeOf(const VectorOperand& operand, BlockSet blocks,
                         std::int64_t iterations) {
  const int first = std::countr_zero(blocks);
  const int last = std::bit_width(blocks) - 1;
  return {operand.BlockAt(0, first),
          operand.BlockAt(iterations - 1, last) + kBlockBytes};
}

/// Whether block b of iteration r is at `b + 8 * r` blocks from the first.
inline bool IsContiguous(const VectorOperand& operand) {
  return operand.block_stride == kBlockBytes &&
         operand.repeat_stride == kIterationBytes;
}

}  // namespace lanediff::emulator

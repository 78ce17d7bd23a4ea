#pragma once

#include <cstdint>

/// The documents' units of memory, for code that makes, shows or shrinks calls.
/// Emulator and oracle state them once more, each by itself.
namespace lanediff::isa {

/// A DataBlock, in which Ascend C counts most strides, lengths and gaps.
inline constexpr std::int64_t kDataBlockBytes = 32;
/// What one iteration of a vector call works on: 8 DataBlocks of an operand.
inline constexpr std::int64_t kIterationBytes = 256;
/// Elements that one iteration of Brcb takes, each for a DataBlock.
inline constexpr std::int64_t kBroadcastElements = 8;
/// A matrix of 16 × 16 elements of 16 bits, as vec_trans turns them.
inline constexpr std::int64_t kMatrixBytes = 512;

}  // namespace lanediff::isa

#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/listing.h"

/// Lanes and their addresses, as "Vector addressing" of the common model has
/// them.
namespace lanediff::oracle {

inline constexpr std::int64_t kDataBlockBytes = 32;
inline constexpr std::int64_t kIterationBytes = 256;

/// The vector mask register: bit i is lane i.
using LaneMask = std::bitset<128>;

/// The mask register that the two words of SetVectorMask make.
LaneMask MaskOfWords(std::uint64_t high, std::uint64_t low);

/// The contiguous mask: lanes 0 to `lanes` - 1, where `lanes` is 0 to 128.
LaneMask MaskOfFirst(std::int64_t lanes);

/// The numbers of the lanes of an iteration over `type` that `mask` lets take
/// part, ascending. For 32-bit types only the low 64 bits are looked at.
std::vector<std::int64_t> LanesOf(const LaneMask& mask, isa::DType type);

/// Where the lanes of an operand are.
struct LaneGrid {
  std::int64_t at = 0;             ///< the operand's first byte
  std::int64_t element_bytes = 0;  ///< sizeof(T)
  std::int64_t blk_stride = 0;     ///< in DataBlocks
  std::int64_t rep_stride = 0;     ///< in DataBlocks

  /// First byte of `lane` of `iteration`. Exact for any 64-bit offset while
  /// both factors of each product are below 2^60.
  Address AddressOf(std::int64_t iteration, std::int64_t lane) const {
    const std::int64_t lanes_per_block = kDataBlockBytes / element_bytes;
    const Address blocks = Address{iteration} * rep_stride +
                           Address{lane / lanes_per_block} * blk_stride;
    return at + kDataBlockBytes * blocks +
           (lane % lanes_per_block) * element_bytes;
  }
};

}  // namespace lanediff::oracle

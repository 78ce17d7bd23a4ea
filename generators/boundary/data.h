#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"

namespace lanediff::make::sweep {

/// What the elements of a memory have in common.
enum class Data : std::uint8_t {
  kRamp,        ///< small integers that reveal a misplaced element
  kBits,        ///< bit patterns that do not soon repeat, NaNs among them
  kSpecial,     ///< every pair of special values next to each other
  kOverflow,    ///< sums and products beyond the largest value
  kTies,        ///< sums and products in the middle of two values
  kCancel,      ///< sums near zero, of both signs
  kSubnormals,  ///< and the smallest normals
  kNearOne,     ///< products that stay in range
};
inline constexpr std::size_t kDataCount = 8;

std::string_view DataName(Data data);

/// `count` elements in memory order, the same at every call.
std::vector<std::uint8_t> MakeData(isa::DType type, Data data,
                                   std::int64_t count);

/// Bits of the values at which arithmetic has an edge: zeros of both signs, the
/// ends of the subnormals and normals, neighbours of 1, ties, the ends of the
/// range and beyond, infinities and NaNs; for integers the ends and the
/// neighbours of 0.
const std::vector<std::uint64_t>& SpecialValues(isa::DType type);

/// The bits of 1.
std::uint64_t OneOf(isa::DType type);
/// The bits of -0.0, or 0 for an integer type.
std::uint64_t MinusZeroOf(isa::DType type);

}  // namespace lanediff::make::sweep

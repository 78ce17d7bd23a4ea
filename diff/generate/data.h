#pragma once

#include <cstdint>
#include <vector>

#include "diff/generate/random.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {

/// Bits of one element that is likely to matter: zeros of both signs, the
/// smallest and largest subnormal and normal numbers, values next to overflow,
/// infinities, NaNs, powers of two; for integers the ends of the range.
std::uint64_t SpecialElement(Random& random, isa::DType type);

/// `count` elements in memory order, made with one intent for all of them:
/// random bits, special values, small integers, sums that just overflow, ties,
/// cancellation, subnormals or a ramp that reveals a misplaced element.
std::vector<std::uint8_t> GenerateData(Random& random, isa::DType type,
                                       std::int64_t count);

}  // namespace lanediff::diff

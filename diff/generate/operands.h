#pragma once

#include <cstdint>
#include <vector>

#include "diff/case.h"
#include "diff/generate/random.h"

/// What generators of all instructions do alike: places, masks, repeats, data.
namespace lanediff::diff {

inline constexpr std::int64_t kDataBlockBytes = 32;

/// The next multiple of `unit`, which is positive; `value` is not negative.
constexpr std::int64_t RoundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// VECIN, VECCALC or VECOUT.
isa::Position VectorPosition(Random& random);

/// A number of repeats: 0 and 1 often, a few mostly, 64 to `most` in some of a
/// hundred. At least `least`.
std::int64_t GenerateRepeat(Random& random, std::int64_t least,
                            std::int64_t most);

/// Lanes for the vector mask: few, many, a contiguous run, random bits.
isa::SetVectorMask GenerateMask(Random& random);

/// Adds a region of generated elements to `memory` of `c`, which has an image
/// large enough; nothing if the place is taken or outside.
void AddData(Random& random, Case& c, isa::Memory memory, std::int64_t at,
             std::int64_t bytes, isa::DType type);

/// Gives `c` an image of `memory` with a random fill and `size` bytes, or the
/// capacity if that is less.
void AddMemory(Random& random, Case& c, isa::Memory memory, std::int64_t size);

}  // namespace lanediff::diff

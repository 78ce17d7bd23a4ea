#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random.h"
#include "generators/random/data.h"
#include "generators/random/generate.h"
#include "isa/footprint.h"
#include "isa/intervals.h"

/// What generators of all instructions do alike: places, masks, repeats, data.
namespace lanediff::make {

using isa::kDataBlockBytes;
using isa::RoundUp;
/// What one operand may take in the uniform style, whose repeats and strides
/// would else fill every memory.
inline constexpr std::int64_t kUniformSpaceBytes = 32 * 1024;

/// The plan's product, or one of `products`: that is claimed, where any is.
isa::Product PickProduct(Random& random, const Plan& plan,
                         std::span<const isa::Product> products);

/// Those of the instruction `op`, atlas-a2 twice and first.
std::vector<isa::Product> MostlyA2(std::string_view op);

/// In some cases a step that switches saturation mode: off for the most part
/// where a product can, on in `on_percent`; elsewhere seldom, and not always
/// legal.
void MaybeSwitchSaturation(Random& random, const Plan& plan, int on_percent,
                           Case& c);

/// VECIN, VECCALC or VECOUT.
isa::Position VectorPosition(Random& random);

/// Moves dst of a call by lanes away from src's position where its rules want
/// that, in most cases.
void SetRoute(Random& random, isa::Call& call);

/// A number of repeats in [least, most]. By intent: 1 to 4 mostly, `least` and
/// `most` now and then, 64 and more in 6 of a hundred. Else uniform.
std::int64_t GenerateRepeat(Random& random, const Plan& plan,
                            std::int64_t least, std::int64_t most);

/// Whether a call with `operations` may be made: more than planned are made in
/// a few of a hundred cases.
bool Affordable(Random& random, const Plan& plan, std::int64_t operations);

/// Bytes that one operand may span: a few KiB mostly.
std::int64_t SpaceBytes(Random& random, const Plan& plan);

/// A stride in [0, 65535] or [0, most] such that `steps` of it fit `limit`
/// units. By intent one of `usual`, whose first is taken in half of the cases;
/// seldom one that needs more than 8 bits, where few steps make that cheap.
std::int64_t GenerateStride(Random& random, Style style,
                            std::span<const std::int64_t> usual,
                            std::int64_t most, std::int64_t steps,
                            std::int64_t limit);

/// Lanes for the vector mask: one, few, a contiguous run, random bits.
isa::SetVectorMask GenerateMask(Random& random);

/// The lanes of an iteration that take part, as far as layouts care.
struct LaneRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};
/// Of the first `lanes` bits of two words; all lanes if no bit is set.
LaneRange RangeOf(std::uint64_t low, std::uint64_t high, std::int64_t lanes);

/// Where the lanes of a vector operand lie, relative to its start.
struct VectorShape {
  std::int64_t element_bytes = 2;
  std::int64_t blk_stride = 1;  ///< DataBlocks
  std::int64_t rep_stride = 8;  ///< DataBlocks
  std::int64_t repeat = 1;
  LaneRange lanes;

  std::int64_t OffsetOf(std::int64_t iteration, std::int64_t lane) const;
  /// From the start to behind the last byte that a lane touches.
  std::int64_t bytes() const;
};

/// Adds a region of themed elements to `memory` of `c`, which has an image
/// large enough; nothing if the place is taken or outside.
void AddData(Random& random, Case& c, isa::Memory memory, std::int64_t at,
             std::int64_t bytes, isa::DType type, const DataTheme& theme);

/// Gives `c` an image of `memory` with a random fill that ends at `end` or a
/// little behind it, or, in one of a hundred cases, with the whole capacity
/// (one of a thousand where that is L1's).
void AddMemory(Random& random, Case& c, isa::Memory memory, std::int64_t end);

/// Changes something at random in `percent` of the cases, if the plan lets it.
void MaybeMutate(Random& random, const Plan& plan, int percent, Generated& g);

/// A generator of one instruction. `make` fills a case that has an id and one
/// of `products`; something is changed in `percent` of the cases.
Generator GeneratorOf(
    const isa::Signature& row, std::vector<isa::Product> products,
    std::span<const Weighted<LayoutIntent>> layouts, int percent,
    std::function<void(Random& random, const Plan& plan, Generated& g)> make);

}  // namespace lanediff::make

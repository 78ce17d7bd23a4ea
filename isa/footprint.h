#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/units.h"

/// The bytes that each operand of a call touches, read off the call's fields,
/// for who makes, places or cuts calls. Data that neither emulator nor oracle
/// includes: each has its own formulas, and a test holds these against what the
/// oracle reads and writes.
namespace lanediff::isa {

/// Sizes beyond it are out of reckoning: no memory is as large.
inline constexpr std::int64_t kFarAway = std::int64_t{1} << 30;

/// How the iterations of an operand lie: the first one touches bytes from the
/// operand's start on, each later one lies `stride` bytes further. None of the
/// numbers is negative.
struct Footprint {
  std::string_view operand;  ///< the document's name
  /// From the operand's start to behind the last byte of the first iteration.
  std::int64_t first = 0;
  std::int64_t stride = 0;
  std::int64_t iterations = 0;

  /// From the operand's start to behind the last byte of all iterations; 0 if
  /// there is none, absent beyond `kFarAway`.
  std::optional<std::int64_t> Touched() const;
  /// The same of iterations that may touch nothing, but have their place.
  std::optional<std::int64_t> Span() const;
};

/// The lanes of an iteration, of types of a byte or more.
using Lanes = std::bitset<kIterationBytes>;

/// The first `count` of `all` lanes.
Lanes FirstLanes(std::int64_t count, std::int64_t all);

/// From the start of an iteration to behind the last byte of its lanes of
/// `element` bytes; `blk_stride` is in DataBlocks.
std::int64_t LanesBytes(const Lanes& lanes, std::int64_t element,
                        std::int64_t blk_stride);

/// Bytes of the widest element of a call's operands: an iteration has as many
/// lanes as 256 bytes have of these.
std::int64_t LaneBytes(const Call& call);

/// What one of DataCopy's blockLen, and of its dstGap, counts.
constexpr std::int64_t CopyUnitBytes(Position dst) {
  return dst == Position::kC2          ? 64
         : dst == Position::kC2pipe2gm ? 128
                                       : kDataBlockBytes;
}

/// Lanes of which a reduction makes one result, of elements of that size.
constexpr std::int64_t LanesOfResult(Group group, std::int64_t element) {
  return group == Group::kPair        ? 2
         : group == Group::kDataBlock ? kDataBlockBytes / element
                                      : kIterationBytes / element;
}

/// All results of an iteration of a reduction, which its dstRepStride counts.
/// An index is as wide as a value, and has 32 bits where it stands alone.
constexpr std::int64_t ResultBytes(const Call& call) {
  const std::int64_t element = SizeBytes(call.dtype);
  if (call.signature->Has(Param::kReduceOrder)) {
    const bool alone = call.reduce_order == ReduceOrder::kOnlyValue;
    const bool index = call.reduce_order == ReduceOrder::kOnlyIndex;
    return index ? 4 : alone ? element : 2 * element;
  }
  return kIterationBytes / LanesOfResult(call.signature->group, element);
}

/// rows × cols elements, whichever of them are valid; absent beyond `kFarAway`.
std::optional<std::int64_t> TileBytes(const Tile& tile, DType type);

/// The footprints of `step`'s operands and tiles, in the order of its fields;
/// of none where it has none. `mask` is what the vector mask register holds,
/// all lanes if absent. Covers illegal calls too: fields below 0
/// count as 0, lanes that the type doesn't have as its last one.
std::vector<Footprint> FootprintsOf(
    const Step& step, Product product,
    const std::optional<SetVectorMask>& mask = std::nullopt);

/// The same of a copy, a transpose or a broadcast, alike on all products.
std::vector<Footprint> FootprintsOfMove(const Call& call);

}  // namespace lanediff::isa

#include "isa/footprint.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

#include "isa/intervals.h"
#include "isa/memory_map.h"

namespace lanediff::isa {
namespace {

using Words = std::array<std::uint64_t, 2>;
using Register = std::optional<SetVectorMask>;

/// A field as a count: 0 to 2^32, so that the product of one and a few small
/// factors stays in range.
std::int64_t AsCount(std::int64_t value) {
  return std::clamp<std::int64_t>(value, 0, std::int64_t{1} << 32);
}

/// The first word has the lanes 0 to 63.
Lanes LanesOf(const Words& words, std::int64_t all) {
  const Lanes lanes = Lanes(words[1]) << 64 | Lanes(words[0]);
  return lanes & FirstLanes(all, all);
}

/// Of a call that may have its lanes from the register.
Lanes LanesOf(const Call& s, const Register& mask) {
  const std::int64_t all = kIterationBytes / LaneBytes(s);
  if (!s.is_set_mask) {
    return mask ? LanesOf(Words{mask->low, mask->high}, all)
                : FirstLanes(all, all);
  }
  if (s.Has(Param::kMask)) return FirstLanes(s[Param::kMask], all);
  Lanes lanes = LanesOf(s.mask_words, all);
  const bool beyond = lanes != LanesOf(s.mask_words, kIterationBytes);
  if (beyond) lanes.set(static_cast<std::size_t>(all - 1));
  return lanes;
}

/// From the start of an iteration's results to behind the last one that a
/// reduction writes. Atlas 200I/500 A2 writes those of no lane, too.
std::int64_t WrittenBytes(const Call& s, const Lanes& lanes, Product product) {
  const std::int64_t element = SizeBytes(s.dtype);
  const Group group = s.signature->group;
  if (s.signature->Has(Param::kReduceOrder)) return ResultBytes(s);
  if (group != Group::kIteration && product == Product::kAtlas200i500A2) {
    return ResultBytes(s);
  }
  std::int64_t last = kIterationBytes / element - 1;
  while (last > 0 && !lanes.test(static_cast<std::size_t>(last))) --last;
  return (last / LanesOfResult(group, element) + 1) * element;
}

/// A bit for each lane: those of an iteration behind those of the one before,
/// or the same for all.
Footprint OfBits(const Call& s, std::string_view name, const Lanes& lanes) {
  const std::int64_t all = kIterationBytes / LaneBytes(s);
  const bool same = s.sel_mode == SelMode::kSameBits;
  if (s.IsByCount()) {
    const std::int64_t count = AsCount(s[Param::kCount]);
    return {name, ((same ? std::min(count, all) : count) + 7) / 8, 0, 1};
  }
  std::int64_t end = all;
  while (end > 0 && !lanes.test(static_cast<std::size_t>(end - 1))) --end;
  return {name, (end + 7) / 8, same ? 0 : all / 8,
          AsCount(s[Param::kRepeatTimes])};
}

/// Each operand. Where a reduction finds no lane in the register, it writes
/// nothing.
std::vector<Footprint> OfLanes(const Call& s, const Register& mask,
                               Product product) {
  const auto specs = s.signature->operands;
  const bool reduces = s.Is(Family::kReduction);
  const std::int64_t repeat = AsCount(s[Param::kRepeatTimes]);
  const std::int64_t every = kIterationBytes / LaneBytes(s);
  const bool packs = s.signature->PacksBits();
  std::vector<Footprint> all;
  Lanes lanes = s.IsByCount() ? Lanes() : LanesOf(s, mask);
  // Packed results: of whole iterations, on most products of every lane.
  if (packs && product != Product::kAtlas200i500A2) {
    lanes = FirstLanes(every, every);
  }
  const std::int64_t count =
      AsCount(s[Param::kCount]) / (packs ? every : 1) * (packs ? every : 1);
  for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
    const std::int64_t element = SizeBytes(s.TypeOf(i));
    if (specs[i].is_packed && !specs[i].is_written) {
      all.push_back(OfBits(s, specs[i].name, lanes));
    } else if (s.IsByCount()) {
      const std::int64_t bytes =
          specs[i].is_packed ? count / 8 : count * element;
      all.push_back({specs[i].name, bytes, 0, 1});
    } else if (specs[i].is_packed) {
      const std::int64_t bytes = lanes.none() ? 0 : every / 8;
      all.push_back({specs[i].name, bytes, bytes, repeat});
    } else if (reduces && specs[i].is_written) {
      const bool nothing = !s.is_set_mask && lanes.none();
      all.push_back({specs[i].name,
                     nothing ? 0 : WrittenBytes(s, lanes, product),
                     AsCount(s.RepStride(i)) * ResultBytes(s), repeat});
    } else {
      all.push_back({specs[i].name, LanesBytes(lanes, element, s.BlkStride(i)),
                     AsCount(s.RepStride(i)) * kDataBlockBytes, repeat});
    }
  }
  return all;
}

/// Blocks of bytes, each of which, with what pads it, starts a DataBlock in UB.
std::vector<Footprint> OfPaddedCopy(const Call& s) {
  const std::int64_t blocks = AsCount(s[Param::kBlockCount]);
  const std::int64_t bytes = AsCount(s[Param::kBlockLen]);
  const std::int64_t element = SizeBytes(s.dtype);
  const bool is_into_ub = s.Has(Param::kIsPad);
  const std::int64_t padded = is_into_ub && bytes > 0
                                  ? (AsCount(s[Param::kLeftPadding]) +
                                     AsCount(s[Param::kRightPadding])) *
                                            element +
                                        bytes
                                  : bytes;
  const std::int64_t whole = RoundUp(padded);
  const std::int64_t src_gap = AsCount(s[Param::kSrcGap]);
  const std::int64_t dst_gap = AsCount(s[Param::kDstGap]);
  if (is_into_ub) {
    return {{"dst", whole, whole + dst_gap * kDataBlockBytes, blocks},
            {"src", bytes, bytes + src_gap, blocks}};
  }
  return {{"dst", bytes, bytes + dst_gap, blocks},
          {"src", bytes, whole + src_gap * kDataBlockBytes, blocks}};
}

/// A count is in elements of src. Blocks of half that become blocks of float
/// take twice the bytes.
std::vector<Footprint> OfCopy(const Call& s) {
  const DType from = s.src(0).dtype.value_or(s.dtype);
  if (s.Has(Param::kCount)) {
    const std::int64_t all = AsCount(s[Param::kCount]) * SizeBytes(from) /
                             kDataBlockBytes * kDataBlockBytes;
    return {{"dst", all, 0, 1}, {"src", all, 0, 1}};
  }
  if (s.signature->Has(Param::kIsPad)) return OfPaddedCopy(s);
  const bool widens =
      from == DType::kHalf && s.dst().dtype.value_or(s.dtype) == DType::kFloat;
  const std::int64_t unit = CopyUnitBytes(s.dst().position);
  const std::int64_t src = AsCount(s[Param::kBlockLen]) * unit;
  const std::int64_t dst = widens ? 2 * src : src;
  const std::int64_t blocks = AsCount(s[Param::kBlockCount]);
  return {
      {"dst", dst, dst + AsCount(s[Param::kDstGap]) * unit, blocks},
      {"src", src, src + AsCount(s[Param::kSrcGap]) * kDataBlockBytes, blocks}};
}

/// `columns` elements of each row of `tile`.
Footprint OfRows(std::string_view operand, const Tile& tile,
                 std::int64_t columns, std::int64_t rows, DType type) {
  const std::int64_t element = SizeBytes(type);
  columns = AsCount(columns);
  if (tile.layout == Layout::kNd) {
    return {operand, columns * element, AsCount(tile.cols) * element, rows};
  }
  // Columns lie behind each other, and rows beside.
  std::int64_t first = 0;
  if (columns > 0 && __builtin_mul_overflow((columns - 1) * element,
                                            AsCount(tile.rows), &first)) {
    first = kFarAway;
  }
  return {operand, columns == 0 ? 0 : std::min(first, kFarAway) + element,
          element, rows};
}

/// Rows are read as far as they are valid, and one element of each is written.
/// What becomes of tmp is unspecified: all of it.
std::vector<Footprint> OfTiles(const Call& s) {
  const auto& [dst, src, tmp] = s.tiles;
  const auto names = s.signature->tiles;
  const std::int64_t rows = AsCount(src.valid_row);
  return {
      OfRows(names[0].name, dst, 1, rows, s.dtype),
      OfRows(names[1].name, src, src.valid_col, rows, s.dtype),
      {names[2].name, TileBytes(tmp, s.dtype).value_or(kFarAway + 1), 0, 1}};
}

std::vector<Footprint> OfTranspose(const Call& s) {
  std::vector<Footprint> all;
  for (std::size_t i = 0; i < s.signature->operands.size(); ++i) {
    all.push_back({s.signature->operands[i].name, kMatrixBytes,
                   AsCount(s.RepStride(i)) * kMatrixBytes,
                   AsCount(s[Param::kRepeatTimes])});
  }
  return all;
}

std::vector<Footprint> OfBroadcast(const Call& s) {
  const std::int64_t repeat = AsCount(s[Param::kRepeatTimes]);
  const std::int64_t src = kBroadcastElements * SizeBytes(s.dtype);
  const Lanes all = FirstLanes(kIterationBytes, kIterationBytes);
  return {{"dst", LanesBytes(all, 1, s.BlkStride(0)),
           AsCount(s.RepStride(0)) * kDataBlockBytes, repeat},
          {"src", src, src, repeat}};
}

std::vector<Footprint> Of(const Call& s, const Register& mask,
                          Product product) {
  switch (s.signature->family) {
    case Family::kLanewise:
    case Family::kReduction:
      return OfLanes(s, mask, product);
    case Family::kCopy:
      return OfCopy(s);
    case Family::kTranspose:
      return OfTranspose(s);
    case Family::kBroadcast:
      return OfBroadcast(s);
    case Family::kTile:
      break;
  }
  return OfTiles(s);
}

/// One element, behind those that are not touched.
Footprint OfElement(std::string_view operand, std::int64_t index, DType type) {
  index = AsCount(index);
  return {operand,
          index > kFarAway ? kFarAway + 1 : (index + 1) * SizeBytes(type), 0,
          1};
}
std::vector<Footprint> Of(const GetValue& s, const Register&, Product) {
  return {OfElement("src", s.index, s.dtype)};
}
std::vector<Footprint> Of(const SetValue& s, const Register&, Product) {
  return {OfElement("dst", s.index, s.dtype)};
}

template <StateStep Step>
std::vector<Footprint> Of(const Step&, const Register&, Product) {
  return {};
}

}  // namespace

std::optional<std::int64_t> Footprint::Touched() const {
  return first > 0 ? Span() : 0;
}

std::optional<std::int64_t> Footprint::Span() const {
  if (iterations <= 0) return 0;
  std::int64_t all = 0;
  if (__builtin_mul_overflow(iterations - 1, stride, &all) ||
      __builtin_add_overflow(all, first, &all) || all > kFarAway) {
    return std::nullopt;
  }
  return all;
}

Lanes FirstLanes(std::int64_t count, std::int64_t all) {
  count = std::clamp<std::int64_t>(count, 0, all);
  if (count == 0) return {};
  return ~Lanes() >> static_cast<std::size_t>(kIterationBytes - count);
}

std::int64_t LanesBytes(const Lanes& lanes, std::int64_t element,
                        std::int64_t blk_stride) {
  const std::int64_t per_block = kDataBlockBytes / element;
  const std::int64_t stride = AsCount(blk_stride) * kDataBlockBytes;
  std::int64_t end = 0;
  for (std::int64_t lane = kIterationBytes / element - 1; lane >= 0; --lane) {
    if (!lanes.test(static_cast<std::size_t>(lane))) continue;
    const std::int64_t in_block = lane % per_block;
    end = std::max(end, lane / per_block * stride + (in_block + 1) * element);
    lane -= in_block;  // the last lane of a block ends behind its others
  }
  return end;
}

std::int64_t LaneBytes(const Call& call) {
  std::int64_t widest = SizeBytes(call.dtype);
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    if (call.signature->operands[i].is_packed) continue;
    widest = std::max(widest, SizeBytes(call.TypeOf(i)));
  }
  return widest;
}

std::optional<std::int64_t> TileBytes(const Tile& tile, DType type) {
  return Footprint{
      .operand = {},
      .first = SizeBytes(type),
      .stride = SizeBytes(type),
      .iterations =
          tile.rows > 0 && tile.cols > 0
              ? AsCount(tile.rows) * std::min(AsCount(tile.cols), kFarAway)
              : 0}
      .Touched();
}

std::vector<Footprint> FootprintsOf(const Step& step, Product product,
                                    const Register& mask) {
  return std::visit([&](const auto& s) { return Of(s, mask, product); }, step);
}

std::vector<Footprint> FootprintsOfMove(const Call& call) {
  if (call.Is(Family::kBroadcast)) return OfBroadcast(call);
  return call.Is(Family::kTranspose) ? OfTranspose(call) : OfCopy(call);
}

}  // namespace lanediff::isa

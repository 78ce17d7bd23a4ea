#include "generators/exhaustive/pair_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "generators/lanewise.h"
#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "isa/units.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;
using isa::Param;

constexpr std::int64_t kElementBytes = 2;
using isa::kDataBlockBytes;
constexpr std::int64_t kLanes = 128;  // of 16 bits in an iteration

std::int64_t WholeBlocks(std::int64_t bytes) {
  return (bytes + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes;
}

isa::Operand Window(isa::Position position, std::int64_t at,
                    std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// One repeat of `sum` for each pair, its first two lanes.
PairLayout LayOutSum(isa::Call sum, DType dtype, std::int64_t count) {
  sum.dtype = dtype;
  const std::int64_t results = isa::ResultBytes(sum);
  const std::int64_t dst_bytes = (count - 1) * results + kElementBytes;
  const std::int64_t src = WholeBlocks(dst_bytes);
  sum.dst() = Window(isa::Position::kVecout, 0, dst_bytes);
  sum.src(0) = Window(isa::Position::kVecin, src,
                      (count - 1) * kDataBlockBytes + 2 * kElementBytes);
  sum[Param::kRepeatTimes] = count;
  sum[Param::kMask] = 2;
  if (sum.Has(Param::kDstBlkStride)) sum[Param::kDstBlkStride] = 1;
  if (sum.Has(Param::kReduceOrder)) {
    sum.reduce_order = isa::ReduceOrder::kOnlyValue;
  }
  sum[Param::kSrc0BlkStride] = 1;
  sum[Param::kDstRepStride] = 1;
  sum[Param::kSrc0RepStride] = 1;
  return {.step = sum,
          .ub_bytes = src + count * kDataBlockBytes,
          .first_at = src,
          .second_at = src + kElementBytes,
          .pair_stride = kDataBlockBytes};
}

/// One row for each pair, two valid columns.
PairLayout LayOutProduct(DType dtype, std::int64_t count) {
  const std::int64_t row_elements = kDataBlockBytes / kElementBytes;
  const std::int64_t dst_bytes = WholeBlocks(count * kElementBytes);
  const std::int64_t src_bytes = count * kDataBlockBytes;
  isa::Call product = isa::CallOf("TROWPROD");
  auto& [dst, src, tmp] = product.tiles;
  product.dtype = dtype;
  dst = {.at = 0,
         .rows = dst_bytes / kElementBytes,
         .cols = 1,
         .valid_row = count,
         .valid_col = 1,
         .layout = isa::Layout::kDn,
         .dtype = {}};
  src = {.at = dst_bytes,
         .rows = count,
         .cols = row_elements,
         .valid_row = count,
         .valid_col = 2,
         .layout = isa::Layout::kNd,
         .dtype = {}};
  tmp = src;
  tmp.at = dst_bytes + src_bytes;
  product.order = isa::Order::kLeftFold;
  return {.step = product,
          .ub_bytes = dst_bytes + 2 * src_bytes,
          .first_at = dst_bytes,
          .second_at = dst_bytes + kElementBytes,
          .pair_stride = kDataBlockBytes};
}

/// One lane for each pair of `call`'s sources. More than one iteration must be
/// full.
PairLayout LayOutLanes(isa::Call call, DType dtype, std::int64_t count) {
  const std::int64_t bytes = count * kElementBytes;
  const std::int64_t apart = WholeBlocks(bytes);
  call.dtype = dtype;
  CompleteConversion(call, isa::Product::kAtlasA2);
  const auto dst_type = call.dst().dtype;
  call.dst() = Window(isa::Position::kVecout, 0, bytes);
  call.dst().dtype = dst_type;
  call.src(0) = Window(isa::Position::kVecin, apart, bytes);
  call.src(1) = Window(isa::Position::kVecin, 2 * apart, bytes);
  call.form = isa::kMaskForm;
  call[Param::kMask] = std::min(count, kLanes);
  call[Param::kRepeatTimes] = count / call[Param::kMask];
  SetDenseStrides(call);
  return {.step = call,
          .ub_bytes = 3 * apart,
          .first_at = apart,
          .second_at = 2 * apart,
          .pair_stride = kElementBytes};
}

constexpr std::uint64_t kRepeats = 255;  // the most that a call may have
constexpr std::uint64_t kRows = 256;

constexpr std::string_view kSumBounds =
    "all 2^32 ordered pairs of half, each the two lanes of one repeat; 255 "
    "repeats in a call";
constexpr std::string_view kProductBounds =
    "all 2^32 ordered pairs of half, each the two columns of one row in order "
    "left-fold; 256 rows in a call";
constexpr std::string_view kLaneBounds =
    "all 2^32 ordered pairs, each one lane of src0 and src1; 255 repeats of "
    "128 lanes in a call";

using Definitions = std::vector<PairSpace::Definition>;

/// `space` of half, in both modes.
void AddHalf(Definitions& all, PairSpace::Definition space) {
  const std::string name = std::move(space.name);
  for (bool saturation : {true, false}) {
    space.name =
        fmt::format("{}-half-{}", name, saturation ? "saturating" : "ieee");
    space.dtype = DType::kHalf;
    space.saturation = saturation;
    all.push_back(space);
  }
}

/// Of a sum of one source's lanes.
void AddSums(Definitions& all, const isa::Call& kind, std::string_view name) {
  AddHalf(all, {.name = std::string(name),
                .slug = kind.signature->slug,
                .bounds = kSumBounds,
                .pairs_per_call = kRepeats,
                .lay_out = std::bind_front(LayOutSum, kind)});
}

/// Of what a lane-wise call of two sources alone has of half and int16; int16
/// in both modes where the results can leave it.
void AddLanes(Definitions& all, const isa::Call& kind) {
  const isa::Signature& signature = *kind.signature;
  if (signature.sources() != 2 || signature.ReadsDst() ||
      signature.PacksBits()) {
    return;
  }
  const auto has = [&](DType type) {
    return isa::FindInstruction(signature.op)
        ->Has(isa::Product::kAtlasA2, type);
  };
  PairSpace::Definition space = {.name = std::string(signature.slug),
                                 .slug = signature.slug,
                                 .bounds = kLaneBounds,
                                 .pairs_per_call = kRepeats * kLanes,
                                 .lay_out = std::bind_front(LayOutLanes, kind)};
  if (has(DType::kHalf)) AddHalf(all, space);
  if (!has(DType::kInt16)) return;
  const bool both =
      isa::FindRule(kind.Rule(isa::CallRule::kIntegerOverflow).text()) !=
      nullptr;
  space.dtype = DType::kInt16;
  for (bool saturation : {true, false}) {
    if (!saturation && !both) continue;
    space.saturation = saturation;
    space.name = fmt::format("{}-int16{}", signature.slug,
                             !both        ? ""
                             : saturation ? "-saturating"
                                          : "-wrapping");
    all.push_back(space);
  }
}

void StoreElement(std::uint64_t bits, std::uint8_t* to) {
  to[0] = static_cast<std::uint8_t>(bits);
  to[1] = static_cast<std::uint8_t>(bits >> 8);
}

}  // namespace

std::vector<std::string> PairSpace::Bounds() const {
  return {fmt::format("{}; dtype {}, saturation {}, atlas-a2", d_.bounds,
                      isa::Name(d_.dtype), d_.saturation ? "on" : "off")};
}

std::uint64_t PairSpace::calls() const {
  return (kPairs + d_.pairs_per_call - 1) / d_.pairs_per_call;
}

std::uint64_t PairSpace::PointsIn(std::uint64_t call) const {
  return std::min(d_.pairs_per_call, kPairs - FirstPairOf(call));
}

void PairSpace::Fill(const PairLayout& layout, std::uint64_t first,
                     std::uint64_t count, std::span<std::uint8_t> ub) {
  std::ranges::fill(ub, kFill);
  std::uint8_t* left = ub.data() + layout.first_at;
  std::uint8_t* right = ub.data() + layout.second_at;
  for (std::uint64_t pair = first; pair < first + count; ++pair) {
    StoreElement(pair >> 16, left);
    StoreElement(pair & 0xffff, right);
    left += layout.pair_stride;
    right += layout.pair_stride;
  }
}

Case PairSpace::CaseOf(std::uint64_t first, std::uint64_t count) const {
  const PairLayout layout = LayOut(count);
  std::vector<std::uint8_t> ub(static_cast<std::size_t>(layout.ub_bytes));
  Fill(layout, first, count, ub);

  Case c;
  c.product = isa::Product::kAtlasA2;
  c.id = fmt::format("{}/{}", d_.slug, d_.name);
  MemoryImage image{.fill = kFill, .size = layout.ub_bytes, .regions = {}};
  // One region for both elements of the pairs where they lie together.
  const std::int64_t last =
      static_cast<std::int64_t>(count - 1) * layout.pair_stride + kElementBytes;
  const auto add = [&](std::int64_t at, std::int64_t end) {
    image.regions.push_back({.at = at,
                             .dtype = d_.dtype,
                             .bytes = {ub.begin() + at, ub.begin() + end}});
  };
  if (layout.second_at <= layout.first_at + last) {
    add(layout.first_at, layout.second_at + last);
  } else {
    add(layout.first_at, layout.first_at + last);
    add(layout.second_at, layout.second_at + last);
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = std::move(image);
  c.program = {Prologue(), layout.step};
  return c;
}

Case PairSpace::CaseAt(std::uint64_t call) const {
  return CaseOf(FirstPairOf(call), PointsIn(call));
}

std::vector<std::unique_ptr<Space>> PairSpaces() {
  Definitions all;
  AddSums(all, isa::CallOf("RepeatReduceSum"), "sum");
  AddHalf(all, {.name = "product",
                .slug = "trowprod",
                .bounds = kProductBounds,
                .pairs_per_call = kRows,
                .lay_out = LayOutProduct});
  for (const isa::Call& kind : isa::CallKinds()) AddLanes(all, kind);
  for (const isa::Signature& row : isa::kReductionRows) {
    if (row.Has(Param::kMaskWords)) AddSums(all, isa::CallOf(row), row.slug);
  }
  std::vector<std::unique_ptr<Space>> spaces;
  for (PairSpace::Definition& definition : all) {
    spaces.push_back(std::make_unique<PairSpace>(std::move(definition)));
  }
  return spaces;
}

}  // namespace lanediff::make::exhaust

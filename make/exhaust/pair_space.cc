#include "make/exhaust/pair_space.h"

#include <algorithm>
#include <string>

#include "make/exhaust/pair_walker.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;

constexpr std::int64_t kElementBytes = 2;
constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kLanes = 128;  // of 16 bits in an iteration

std::int64_t WholeBlocks(std::int64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

isa::Operand Window(isa::Position position, std::int64_t at,
                    std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// One repeat for each pair, its first two lanes.
PairLayout LayOutSum(DType dtype, std::int64_t count) {
  const std::int64_t dst_bytes = count * kElementBytes;
  const std::int64_t src = WholeBlocks(dst_bytes);
  isa::RepeatReduceSum sum;
  sum.dtype = dtype;
  sum.dst = Window(isa::Position::kVecout, 0, dst_bytes);
  sum.src = Window(isa::Position::kVecin, src,
                   (count - 1) * kBlockBytes + 2 * kElementBytes);
  sum.repeat = count;
  sum.elems_in_one_repeat = 2;
  sum.dst_blk_stride = 1;
  sum.src_blk_stride = 1;
  sum.dst_rep_stride = 1;
  sum.src_rep_stride = 1;
  return {.step = sum,
          .ub_bytes = src + count * kBlockBytes,
          .first_at = src,
          .second_at = src + kElementBytes,
          .pair_stride = kBlockBytes};
}

/// One row for each pair, two valid columns.
PairLayout LayOutProduct(DType dtype, std::int64_t count) {
  const std::int64_t row_elements = kBlockBytes / kElementBytes;
  const std::int64_t dst_bytes = WholeBlocks(count * kElementBytes);
  const std::int64_t src_bytes = count * kBlockBytes;
  isa::Trowprod product;
  product.dtype = dtype;
  product.dst = {.position = isa::Position::kUb,
                 .at = 0,
                 .rows = dst_bytes / kElementBytes,
                 .cols = 1,
                 .valid_row = count,
                 .valid_col = 1,
                 .layout = isa::Layout::kDn,
                 .dtype = {}};
  product.src = {.position = isa::Position::kUb,
                 .at = dst_bytes,
                 .rows = count,
                 .cols = row_elements,
                 .valid_row = count,
                 .valid_col = 2,
                 .layout = isa::Layout::kNd,
                 .dtype = {}};
  product.tmp = product.src;
  product.tmp.at = dst_bytes + src_bytes;
  product.order = isa::Order::kLeftFold;
  return {.step = product,
          .ub_bytes = dst_bytes + 2 * src_bytes,
          .first_at = dst_bytes,
          .second_at = dst_bytes + kElementBytes,
          .pair_stride = kBlockBytes};
}

/// One lane for each pair. More than one iteration must be full.
PairLayout LayOutMin(DType dtype, std::int64_t count) {
  const std::int64_t bytes = count * kElementBytes;
  const std::int64_t apart = WholeBlocks(bytes);
  isa::Min min;
  min.dtype = dtype;
  min.dst = Window(isa::Position::kVecout, 0, bytes);
  min.src0 = Window(isa::Position::kVecin, apart, bytes);
  min.src1 = Window(isa::Position::kVecin, 2 * apart, bytes);
  min.form = isa::Min::kContiguous;
  min.mask = std::min(count, kLanes);
  min.repeat_times = count / min.mask;
  min.repeat_params = {.dst_blk_stride = 1,
                       .src0_blk_stride = 1,
                       .src1_blk_stride = 1,
                       .dst_rep_stride = 8,
                       .src0_rep_stride = 8,
                       .src1_rep_stride = 8};
  return {.step = min,
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
constexpr std::string_view kMinBounds =
    "all 2^32 ordered pairs, each one lane of src0 and src1; 255 repeats of "
    "128 lanes in a call";

constexpr PairSpace::Definition kDefinitions[] = {
    {"sum-half-saturating", isa::RepeatReduceSum::kRoom, kSumBounds,
     DType::kHalf, true, kRepeats, LayOutSum},
    {"sum-half-ieee", isa::RepeatReduceSum::kRoom, kSumBounds, DType::kHalf,
     false, kRepeats, LayOutSum},
    {"product-half-saturating", isa::Trowprod::kRoom, kProductBounds,
     DType::kHalf, true, kRows, LayOutProduct},
    {"product-half-ieee", isa::Trowprod::kRoom, kProductBounds, DType::kHalf,
     false, kRows, LayOutProduct},
    {"min-half-saturating", isa::Min::kRoom, kMinBounds, DType::kHalf, true,
     kRepeats* kLanes, LayOutMin},
    {"min-half-ieee", isa::Min::kRoom, kMinBounds, DType::kHalf, false,
     kRepeats* kLanes, LayOutMin},
    {"min-int16", isa::Min::kRoom, kMinBounds, DType::kInt16, true,
     kRepeats* kLanes, LayOutMin},
};

void StoreElement(std::uint64_t bits, std::uint8_t* to) {
  to[0] = static_cast<std::uint8_t>(bits);
  to[1] = static_cast<std::uint8_t>(bits >> 8);
}

}  // namespace

std::vector<std::string> PairSpace::Bounds() const {
  const std::string_view mode = d_.saturation ? "on" : "off";
  return {std::string(d_.bounds) + "; dtype " +
          std::string(isa::Name(d_.dtype)) + ", saturation " +
          std::string(mode) + ", atlas-a2"};
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
  c.id = std::string(d_.room) + "/" + std::string(d_.name);
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

std::unique_ptr<Walker> PairSpace::Open(const diff::Target& target,
                                        const diff::Target& reference) const {
  return OpenPairWalker(*this, target, reference);
}

std::vector<std::unique_ptr<Space>> PairSpaces() {
  std::vector<std::unique_ptr<Space>> spaces;
  for (const PairSpace::Definition& definition : kDefinitions) {
    spaces.push_back(std::make_unique<PairSpace>(definition));
  }
  return spaces;
}

}  // namespace lanediff::make::exhaust

#include "generators/random/elementwise_layout.h"

#include <algorithm>
#include <array>

#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Operand;

constexpr std::array<Weighted<LayoutIntent>, 12> kLayouts = {{
    {LayoutIntent::kDisjoint, 22},
    {LayoutIntent::kTouching, 20},
    {LayoutIntent::kIdentical, 14},
    {LayoutIntent::kSameSource, 7},
    {LayoutIntent::kInterleaved, 7},
    {LayoutIntent::kException, 9},
    {LayoutIntent::kExceptionNearMiss, 6},
    {LayoutIntent::kOverlapOneByte, 5},
    {LayoutIntent::kSameStart, 3},
    {LayoutIntent::kOverlapOneElement, 3},
    {LayoutIntent::kOverlapOneBlock, 2},
    {LayoutIntent::kLastIterationDepends, 3},
}};

/// Repeats that a layout with large strides keeps.
constexpr std::int64_t kFewRepeats = 8;
/// DataBlocks that repeats in place may take, 16 KiB.
constexpr std::int64_t kMostBlocks = 512;

VectorShape Shape(const ElementwiseDraft& call, std::int64_t blk,
                  std::int64_t rep) {
  return {isa::SizeBytes(call.step.dtype), blk, rep, call.step.repeat_times,
          call.lanes};
}

std::int64_t Bytes(const ElementwiseDraft& call, std::int64_t blk,
                   std::int64_t rep) {
  if (call.step.form == AnyElementwise::kCount) {
    return call.step.count * isa::SizeBytes(call.step.dtype);
  }
  return Shape(call, blk, rep).bytes();
}

/// From the block of the lowest lane to that of the highest.
std::int64_t BlocksBetween(const ElementwiseDraft& call) {
  const std::int64_t block = kDataBlockBytes / isa::SizeBytes(call.step.dtype);
  return call.lanes.highest / block - call.lanes.lowest / block;
}

/// One of the sources, with its strides.
struct Source {
  Operand& operand;
  std::int64_t& blk_stride;
  std::int64_t& rep_stride;
};

Source SourceOf(ElementwiseDraft& call, bool first) {
  auto& p = call.step.repeat_params;
  if (first) return {call.step.src0, p.src0_blk_stride, p.src0_rep_stride};
  return {call.step.src1, p.src1_blk_stride, p.src1_rep_stride};
}

/// Layouts of the masked forms that the count form doesn't have become others.
void FitCountForm(Random& random, ElementwiseDraft& call) {
  switch (call.layout) {
    case LayoutIntent::kInterleaved:
    case LayoutIntent::kException:
      call.layout = LayoutIntent::kIdentical;
      break;
    case LayoutIntent::kSameStart:
    case LayoutIntent::kExceptionNearMiss:
      call.layout = LayoutIntent::kTouching;
      break;
    case LayoutIntent::kLastIterationDepends:
    case LayoutIntent::kOverlapOneElement: {
      // One element of src lies in its last block: dst can begin there.
      const std::int64_t block =
          kDataBlockBytes / isa::SizeBytes(call.step.dtype);
      call.layout = LayoutIntent::kOverlapOneElement;
      call.step.count = 1 + block * random.Between(1, 8);
      break;
    }
    default:
      break;
  }
}

/// Strides, repeats and masks that a layout needs.
void FitMaskedForm(Random& random, ElementwiseDraft& call, Source source) {
  AnyElementwise& s = call.step;
  auto& p = s.repeat_params;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (s.repeat_times > 1) p.dst_blk_stride = 1;
      source.blk_stride = p.dst_blk_stride;
      // No iteration reaches into the blocks of the next one.
      if (random.Percent(90)) {
        p.dst_rep_stride = std::max(p.dst_rep_stride, BlocksBetween(call) + 1);
      }
      if (s.repeat_times * p.dst_rep_stride > kMostBlocks) {
        s.repeat_times = random.Between(9, 16);
      }
      source.rep_stride = p.dst_rep_stride;
      break;
    case LayoutIntent::kInterleaved:
      s.repeat_times = std::min(s.repeat_times, kFewRepeats);
      p.dst_blk_stride = source.blk_stride = 2;
      p.dst_rep_stride = source.rep_stride = 16;
      break;
    case LayoutIntent::kException:
      if (s.dtype == DType::kInt16) s.dtype = DType::kHalf;
      p.src1_blk_stride = p.dst_blk_stride;
      p.dst_rep_stride = p.src1_rep_stride = 0;
      break;
    case LayoutIntent::kExceptionNearMiss:
      s.repeat_times = std::max<std::int64_t>(s.repeat_times, 2);
      p.src1_blk_stride = p.dst_blk_stride;
      p.dst_rep_stride = p.src1_rep_stride = 0;
      break;
    case LayoutIntent::kLastIterationDepends:
      s.repeat_times = std::clamp<std::int64_t>(s.repeat_times, 2, kFewRepeats);
      source.rep_stride = std::max<std::int64_t>(source.rep_stride, 8);
      source.blk_stride = 1;
      p.dst_rep_stride = std::max<std::int64_t>(p.dst_rep_stride, 8);
      break;
    case LayoutIntent::kOverlapOneElement:
      // The last lane stands alone in its block.
      s.repeat_times = 1;
      if (source.blk_stride == 0) source.blk_stride = 1;
      if (s.form == AnyElementwise::kContiguous && s.is_set_mask) {
        const std::int64_t block = kDataBlockBytes / isa::SizeBytes(s.dtype);
        s.mask = 1 + block * random.Between(1, 6);
        call.lanes = {0, s.mask - 1};
      }
      break;
    default:
      break;
  }
}

/// One condition of the exception is not met.
void Miss(Random& random, ElementwiseDraft& call) {
  AnyElementwise& s = call.step;
  auto& p = s.repeat_params;
  s.dst.at = s.src1.at;
  switch (random.Between(0, 3)) {
    case 0:  // through the other source
      s.dst.at = s.src0.at;
      p.src0_blk_stride = p.dst_blk_stride;
      p.src0_rep_stride = 0;
      break;
    case 1:  // no stride is 0
      p.dst_rep_stride = p.src1_rep_stride = 1;
      break;
    case 2:  // sources that overlap
      s.src0.at = s.src1.at;
      break;
    default:  // a later iteration meets another lane of the accumulator
      p.src1_rep_stride = 1;
      break;
  }
}

/// Puts dst on or beside `source`, whose operand has its place.
void PlaceTarget(Random& random, ElementwiseDraft& call, Source source,
                 std::int64_t source_bytes) {
  AnyElementwise& s = call.step;
  const std::int64_t at = source.operand.at;
  const std::int64_t last = std::max<std::int64_t>(s.repeat_times - 1, 0);
  const std::int64_t last_block = std::max<std::int64_t>(source_bytes - 1, 0) /
                                  kDataBlockBytes * kDataBlockBytes;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      s.dst.at = at;
      break;
    case LayoutIntent::kInterleaved:
      s.dst.at = at + kDataBlockBytes;
      break;
    case LayoutIntent::kOverlapOneElement:
    case LayoutIntent::kOverlapOneBlock:
      s.dst.at = at + last_block;
      break;
    case LayoutIntent::kLastIterationDepends:
      s.dst.at = at + last * source.rep_stride * kDataBlockBytes +
                 random.Between(0, 1) * 7 * kDataBlockBytes;
      break;
    case LayoutIntent::kException:
      s.dst.at = s.src1.at;
      break;
    case LayoutIntent::kExceptionNearMiss:
      Miss(random, call);
      break;
    case LayoutIntent::kSameSource:
      s.src1.at = s.src0.at;
      break;
    default:
      break;
  }
}

}  // namespace

std::int64_t ElementwiseDraft::dst_bytes() const {
  return Bytes(*this, step.repeat_params.dst_blk_stride,
               step.repeat_params.dst_rep_stride);
}
std::int64_t ElementwiseDraft::src0_bytes() const {
  return Bytes(*this, step.repeat_params.src0_blk_stride,
               step.repeat_params.src0_rep_stride);
}
std::int64_t ElementwiseDraft::src1_bytes() const {
  return Bytes(*this, step.repeat_params.src1_blk_stride,
               step.repeat_params.src1_rep_stride);
}

std::span<const Weighted<LayoutIntent>> ElementwiseLayouts() {
  return kLayouts;
}

std::int64_t PlaceElementwise(Random& random, std::int64_t start,
                              ElementwiseDraft& call) {
  AnyElementwise& s = call.step;
  const bool first = random.Percent(50);
  const Source source = SourceOf(call, first);
  if (s.form == AnyElementwise::kCount) {
    FitCountForm(random, call);
  } else {
    FitMaskedForm(random, call, source);
  }
  const std::int64_t slack = call.layout == LayoutIntent::kDisjoint ? 64 : 0;
  // dst touches src1 from behind, or src0 from before.
  std::int64_t next = RoundUp(start, kDataBlockBytes);
  const auto place = [&](Operand& operand, std::int64_t bytes) {
    operand.at = next;
    next = RoundUp(next + bytes, kDataBlockBytes) + slack;
  };
  const bool before =
      call.layout == LayoutIntent::kTouching && random.Percent(50);
  if (before) place(s.dst, call.dst_bytes());
  place(s.src0, call.src0_bytes());
  place(s.src1, call.src1_bytes());
  if (!before) place(s.dst, call.dst_bytes());
  PlaceTarget(random, call, source,
              first ? call.src0_bytes() : call.src1_bytes());
  s.dst.bytes = call.dst_bytes();
  s.src0.bytes = call.src0_bytes();
  s.src1.bytes = call.src1_bytes();
  if (call.layout == LayoutIntent::kOverlapOneByte) {
    s.src1.bytes = s.dst.at - s.src1.at + 1;
  } else if (random.Percent(20)) {
    s.dst.bytes += random.OneOf<std::int64_t>({1, 32});
  }
  return RoundUp(std::max({s.dst.at + s.dst.bytes, s.src0.at + s.src0.bytes,
                           s.src1.at + s.src1.bytes}),
                 kDataBlockBytes);
}

}  // namespace lanediff::make

#include "make/sweep/data_copy.h"

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/pairwise.h"

namespace lanediff::make::sweep {
namespace data_copy {
namespace {

/// Unit of block lengths and destination gaps.
std::int64_t UnitBytes(Position dst) {
  return dst == Position::kC2 ? 64 : dst == Position::kC2pipe2gm ? 128 : 32;
}

}  // namespace

std::vector<std::int64_t> Needs(const isa::Step& step) {
  const auto& s = std::get<DataCopy>(step);
  if (s.form == DataCopy::kCount) {
    const std::int64_t bytes =
        AsCount(s.count) * isa::SizeBytes(s.dtype) / 32 * 32;
    return {bytes, bytes};
  }
  const DType dst = s.dst.dtype.value_or(s.dtype);
  const DType src = s.src.dtype.value_or(s.dtype);
  const std::int64_t widening =
      src == DType::kHalf && dst == DType::kFloat ? 2 : 1;
  const std::int64_t unit = UnitBytes(s.dst.position);
  const std::int64_t block = AsCount(s.params.block_len) * unit;
  const std::int64_t count = AsCount(s.params.block_count);
  return {SpanBytes(count, block * widening + AsCount(s.params.dst_gap) * unit,
                    block * widening),
          SpanBytes(count, block + AsCount(s.params.src_gap) * 32, block)};
}

Case MakeCase(const Shape& shape) {
  DataCopy s;
  s.dtype = shape.dtype;
  s.dst = At(shape.dst);
  s.src = At(shape.src);
  s.form = shape.params ? DataCopy::kParams : DataCopy::kCount;
  if (shape.params) {
    s.params = shape.blocks;
  } else {
    s.count = shape.count;
  }
  return Placed(shape.product, s, Needs);
}

/// half to float from C1 to C2.
Case MakeWidening(const isa::DataCopyParams& blocks) {
  Case c =
      MakeCase({.src = Position::kC1, .dst = Position::kC2, .blocks = blocks});
  S(c).dst.dtype = DType::kFloat;
  Place(c, Needs);
  return c;
}

void SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepAlignment(out, kit, 130);
  SweepRoutes(out);
  SweepMixed(out);
  SweepPlaces(out);
  SweepCounts(out);
  SweepBlocks(out);
  SweepOverlap(out, kit);
  SweepBarriers(out);
  SweepUnderWay(out);
  SweepBits(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace data_copy

template <>
void SweepRoom<isa::DataCopy>(Emitter& out) {
  data_copy::SweepAll(out);
}

}  // namespace lanediff::make::sweep

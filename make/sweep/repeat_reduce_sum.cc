#include "make/sweep/repeat_reduce_sum.h"

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/pairwise.h"

namespace lanediff::make::sweep {
namespace reduce_sum {
namespace {

/// From the start of a repeat to behind lane `last`.
std::int64_t LanesBytes(const RepeatReduceSum& s, std::int64_t lanes) {
  if (lanes <= 0) return 0;
  const std::int64_t per_block =
      std::max<std::int64_t>(1, 32 / isa::SizeBytes(s.dtype));
  std::int64_t end = 0;
  for (std::int64_t lane : {lanes, lanes / per_block * per_block}) {
    if (lane <= 0) continue;
    const std::int64_t block = (lane - 1) / per_block;
    end = std::max(end,
                   block * 32 * AsCount(s.src_blk_stride) +
                       ((lane - 1) % per_block + 1) * isa::SizeBytes(s.dtype));
  }
  return end;
}

}  // namespace

/// Without isSetMask all lanes are counted: whoever sets a smaller register
/// gives the windows themselves.
std::vector<std::int64_t> Needs(const isa::Step& step) {
  const auto& s = std::get<RepeatReduceSum>(step);
  const std::int64_t bytes = isa::SizeBytes(s.dtype);
  const std::int64_t all = 256 / bytes;
  const std::int64_t lanes =
      s.is_set_mask ? std::clamp<std::int64_t>(s.elems_in_one_repeat, 0, all)
                    : all;
  const std::int64_t repeat = AsCount(s.repeat);
  return {
      SpanBytes(repeat, AsCount(s.dst_rep_stride) * bytes, bytes),
      SpanBytes(repeat, AsCount(s.src_rep_stride) * 32, LanesBytes(s, lanes))};
}

Case MakeCase(const Shape& shape) {
  return Placed(
      shape.product,
      RepeatReduceSum{.dtype = shape.dtype,
                      .dst = At(Position::kVecout),
                      .src = At(Position::kVecin),
                      .repeat = shape.repeat,
                      .elems_in_one_repeat = shape.set_mask ? shape.elems : 0,
                      .dst_blk_stride = 0,
                      .src_blk_stride = shape.src_blk,
                      .dst_rep_stride = shape.dst_rep,
                      .src_rep_stride = shape.src_rep,
                      .is_set_mask = shape.set_mask},
      Needs);
}

void SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(out, kit,
              {rrs::kProduct, rrs::kDtype, rrs::kDtypeMatch, rrs::kPosition});
  SweepAlignment(out, kit, 66);
  SweepElems(out);
  SweepRegister(out);
  SweepRepeats(out);
  SweepStrides(out);
  SweepDstRepStride(out);
  SweepDstBlkStride(out);
  SweepOverlap(out, kit);
  SweepDependency(out);
  SweepNodes(out);
  SweepTrees(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace reduce_sum

void SweepRepeatReduceSum(Emitter& out) { reduce_sum::SweepAll(out); }

}  // namespace lanediff::make::sweep

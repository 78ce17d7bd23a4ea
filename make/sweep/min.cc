#include "make/sweep/min.h"

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/pairwise.h"

namespace lanediff::make::sweep {
namespace minimum {
namespace {

/// One more than the highest lane of the mask words.
std::int64_t LanesOf(const std::array<std::uint64_t, 2>& words) {
  for (std::int64_t lane = 127; lane >= 0; --lane) {
    if ((words[static_cast<std::size_t>(lane / 64)] >> (lane % 64) & 1) != 0) {
      return lane + 1;
    }
  }
  return 0;
}

/// Bytes from the start of an iteration to behind its last lane.
std::int64_t LanesBytes(DType type, std::int64_t lanes, std::int64_t blk) {
  const std::int64_t bytes = isa::SizeBytes(type);
  const std::int64_t per_block = 32 / bytes;
  std::int64_t end = 0;
  for (std::int64_t lane : {lanes, lanes / per_block * per_block}) {
    if (lane <= 0) continue;
    end = std::max(end, (lane - 1) / per_block * 32 * AsCount(blk) +
                            ((lane - 1) % per_block + 1) * bytes);
  }
  return end;
}

}  // namespace

/// Without isSetMask all lanes are counted.
std::vector<std::int64_t> Needs(const isa::Step& step) {
  const auto& s = std::get<Min>(step);
  const std::int64_t bytes = isa::SizeBytes(s.dtype);
  if (s.form == Min::kCount) {
    const std::int64_t all = AsCount(s.count) * bytes;
    return {all, all, all};
  }
  std::int64_t lanes = 256 / bytes;
  if (s.is_set_mask) {
    lanes = std::clamp<std::int64_t>(
        s.form == Min::kContiguous ? s.mask : LanesOf(s.mask_words), 0, lanes);
  }
  const auto& p = s.repeat_params;
  const auto span = [&](std::int64_t blk, std::int64_t rep) {
    return SpanBytes(AsCount(s.repeat_times), AsCount(rep) * 32,
                     LanesBytes(s.dtype, lanes, blk));
  };
  return {span(p.dst_blk_stride, p.dst_rep_stride),
          span(p.src0_blk_stride, p.src0_rep_stride),
          span(p.src1_blk_stride, p.src1_rep_stride)};
}

Case MakeCase(const Shape& shape) {
  Min s;
  s.dtype = shape.dtype;
  s.dst = At(Position::kVecout);
  s.src0 = At(Position::kVecin);
  s.src1 = At(Position::kVeccalc);
  s.form = shape.form;
  if (s.form == Min::kCount) {
    s.count = shape.count;
  } else {
    if (s.form == Min::kContiguous && shape.set_mask) s.mask = shape.mask;
    if (s.form == Min::kBitwise && shape.set_mask) s.mask_words = shape.words;
    s.repeat_times = shape.repeat;
    s.repeat_params = shape.strides;
    s.is_set_mask = shape.set_mask;
  }
  return Placed(shape.product, s, Needs);
}

void SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(out, kit,
              {min::kProduct, min::kDtype, min::kDtypeMatch, min::kPosition});
  SweepAlignment(out, kit, 66);
  SweepMasks(out);
  SweepCounts(out);
  SweepLongCounts(out);
  SweepStrides(out);
  SweepOverlap(out, kit);
  SweepRunningMinimum(out);
  SweepValues(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace minimum

void SweepMin(Emitter& out) { minimum::SweepAll(out); }

}  // namespace lanediff::make::sweep

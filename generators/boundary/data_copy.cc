#include "generators/boundary/data_copy.h"

#include <algorithm>

#include "generators/boundary/pairwise.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace data_copy {
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
  return Placed(shape.product, s);
}

/// half to float from C1 to C2.
Case MakeWidening(const isa::DataCopyParams& blocks) {
  Case c =
      MakeCase({.src = Position::kC1, .dst = Position::kC2, .blocks = blocks});
  S(c).dst.dtype = DType::kFloat;
  Place(c);
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
  SweepOverlap(out);
  SweepBarriers(out);
  SweepUnderWay(out);
  SweepBits(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace data_copy

template <>
void SweepModule<isa::DataCopy>(Emitter& out) {
  data_copy::SweepAll(out);
}

}  // namespace lanediff::make::sweep

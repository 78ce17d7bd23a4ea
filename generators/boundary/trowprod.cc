#include "generators/boundary/trowprod.h"

#include <algorithm>

#include "generators/boundary/pairwise.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace trowprod {
namespace {

/// `n` elements rounded up to whole DataBlocks.
std::int64_t Whole(std::int64_t n, DType type) {
  const std::int64_t per_block = isa::kDataBlockBytes / isa::SizeBytes(type);
  return std::max<std::int64_t>(1, (n + per_block - 1) / per_block) * per_block;
}

}  // namespace

Case MakeCase(const Shape& shape) {
  Trowprod s;
  s.dtype = shape.dtype;
  s.src.rows = std::max<std::int64_t>(1, shape.rows);
  s.src.cols = Whole(shape.columns + shape.spare_columns, shape.dtype);
  s.src.valid_row = shape.rows;
  s.src.valid_col = shape.columns;
  s.tmp = s.src;
  s.dst = s.src;
  s.dst.layout = shape.dst_layout;
  s.dst.cols = shape.dst_layout == Layout::kDn ? 1 : Whole(1, shape.dtype);
  if (shape.dst_layout == Layout::kDn) {
    s.dst.rows = Whole(shape.rows, shape.dtype);
  }
  s.dst.valid_col = 1;
  s.order = shape.order;
  return Placed(shape.product, s);
}

void SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(out, kit,
              {trp::kProduct, trp::kDtype, trp::kDtypeMatch, trp::kLocation});
  SweepAlignment(out, kit, 66);
  SweepLayouts(out);
  SweepManyRows(out);
  SweepColumns(out);
  SweepSingleColumns(out);
  SweepValues(out);
  SweepOverlap(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace trowprod

template <>
void SweepModule<isa::Trowprod>(Emitter& out) {
  trowprod::SweepAll(out);
}

}  // namespace lanediff::make::sweep

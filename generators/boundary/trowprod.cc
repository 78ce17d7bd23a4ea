#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/element.h"
#include "generators/boundary/calls.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of TROWPROD.
namespace lanediff::make::sweep {
namespace trowprod {
namespace {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Position;
using isa::Product;
using enum isa::CallRule;

constexpr auto kEveryOrder = EveryValue<Order>();

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kFloat;
  std::int64_t rows = 2;     ///< valid rows
  std::int64_t columns = 5;  ///< valid columns
  Layout dst_layout = Layout::kDn;
  std::optional<Order> order = std::nullopt;
  std::int64_t spare_columns = 0;  ///< behind the valid ones, at least
};

// The tiles of the call under test.
isa::Tile& Dst(Case& c) { return Subject(c).tiles[0]; }
isa::Tile& Src(Case& c) { return Subject(c).tiles[1]; }
isa::Tile& Tmp(Case& c) { return Subject(c).tiles[2]; }

/// `n` elements rounded up to whole DataBlocks.
std::int64_t Whole(std::int64_t n, DType type) {
  const std::int64_t per_block = isa::kDataBlockBytes / isa::SizeBytes(type);
  return std::max<std::int64_t>(1, (n + per_block - 1) / per_block) * per_block;
}

/// A legal call of this shape, placed; without memories where it is too large.
Case MakeCase(const isa::Signature& row, const Shape& shape) {
  isa::Call s = isa::CallOf(row);
  s.dtype = shape.dtype;
  auto& [dst, src, tmp] = s.tiles;
  src.rows = std::max<std::int64_t>(1, shape.rows);
  src.cols = Whole(shape.columns + shape.spare_columns, shape.dtype);
  src.valid_row = shape.rows;
  src.valid_col = shape.columns;
  tmp = src;
  dst = src;
  dst.layout = shape.dst_layout;
  dst.cols = shape.dst_layout == Layout::kDn ? 1 : Whole(1, shape.dtype);
  if (shape.dst_layout == Layout::kDn) {
    dst.rows = Whole(shape.rows, shape.dtype);
  }
  dst.valid_col = 1;
  s.order = shape.order;
  return Placed(shape.product, s);
}

std::vector<Breaker> Breakers() {
  return {
      {kProduct, "atlas-training", {On(Product::kAtlasTraining)}},
      {kDtype, "uint32", {Set("dtype", DType::kUint32)}},
      {kDtype,
       "int32 in edition 2024",
       {In2024(), Set("dtype", DType::kInt32)}},
      {kDtypeMatch, "dst double", {Set("dst.dtype", DType::kDouble)}},
      {kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {kDtypeMatch, "tmp uint8", {Set("tmp.dtype", DType::kUint8)}},
      {kLocation, "dst at VECOUT", {Set("dst.position", Position::kVecout)}},
      {kLocation, "src at GM", {Set("src.position", Position::kGm)}},
      {kLocation, "tmp at VECCALC", {Set("tmp.position", Position::kVeccalc)}},
      {kSrcLayout, "DN", {Set("src.layout", Layout::kDn)}},
      {kDstLayout,
       "DN with 2 columns",
       {Set("dst.layout", Layout::kDn), Set("dst.cols", 2)}},
      {kValidZero, "no row", {Set("dst.validRow", 0), Set("src.validRow", 0)}},
      {kValidZero, "no column", {Set("src.validCol", 0)}},
      {kValidRows, "one less", {Plus("dst.validRow", -1)}},
      {kTmpShape, "one column of a DataBlock", {[](Case& c) {
         Tmp(c).layout = Layout::kDn;
         Tmp(c).rows = isa::kDataBlockBytes / isa::SizeBytes(Subject(c).dtype);
         Tmp(c).cols = 1;
         return Tmp(c).valid_row = Tmp(c).valid_col = 0, true;
       }}},
      {kTmpShape,
       "one row more in edition 2024",
       {In2024(), Plus("tmp.rows", 1)}},
      {kTmpShape, "one DataBlock less in edition 2024", {[](Case& c) {
         c.edition = isa::Edition::k2024;
         Tmp(c).cols = WrappingSum(
             Tmp(c).cols,
             -(isa::kDataBlockBytes / isa::SizeBytes(Subject(c).dtype)));
         return Tmp(c).valid_col = 0, true;
       }}},
      {kTile, "src.validCol too large", {[](Case& c) {
         return Src(c).valid_col = WrappingSum(Src(c).cols, 1), true;
       }}},
      {kTile, "dst rows no whole DataBlock", {Plus("dst.rows", 1)}},
      {kTile, "tmp.validRow -1", {Set("tmp.validRow", -1)}},
      {kAlign, "dst.at 16 further", {Plus("dst.at", 16)}},
      {kAlign, "tmp.at 2 further", {Plus("tmp.at", 2)}},
      {kBounds, "memory one byte short", {[](Case& c) {
         if (!Ub(c) || Ub(c)->size == 0) return false;
         return --Ub(c)->size, true;
       }}},
      {kBounds, "src before its memory", {Set("src.at", -32)}},
      {kOverlap, "dst on src", {[](Case& c) {
         return Dst(c).at = Src(c).at, true;
       }}},
      {kOverlap, "tmp on src", {[](Case& c) {
         return Tmp(c).at = Src(c).at, true;
       }}},
  };
}

std::vector<Base> Bases(const isa::Signature& row) {
  return {
      {"float a2, DN", MakeCase(row, {})},
      {"half a3, ND", MakeCase(row, {.product = Product::kAtlasA3,
                                     .dtype = DType::kHalf,
                                     .rows = 3,
                                     .dst_layout = Layout::kNd,
                                     .spare_columns = 16})},
      {"half a2, one row of one column",
       MakeCase(row, {.dtype = DType::kHalf, .rows = 1, .columns = 1})},
      {"float a3, ND, whole row", MakeCase(row, {.product = Product::kAtlasA3,
                                                 .rows = 9,
                                                 .columns = 8,
                                                 .dst_layout = Layout::kNd,
                                                 .order = Order::kLeftFold})},
      {"int16 a2, DN", MakeCase(row, {.dtype = DType::kInt16})}};
}

/// Of the sizes of tiles.
constexpr FieldRule kFieldRules[] = {
    {"dst.validRow", kValidRows}, {"src.validRow", kValidZero},
    {"src.validCol", kValidZero}, {"tmp.rows", kTmpShape},
    {"tmp.cols", kTmpShape},      {"dst.rows", kTile},
    {"dst.cols", kDstLayout},     {"src.rows", kTile},
    {"src.cols", kTile},          {"dst.validCol", kTile},
    {"tmp.validRow", kTile},      {"tmp.validCol", kTile}};

std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  std::vector<EveryBase> bases;
  std::vector<std::optional<Order>> orders(kEveryOrder.begin(),
                                           kEveryOrder.end());
  orders.push_back(std::nullopt);
  for (DType dtype :
       {DType::kHalf, DType::kFloat, DType::kInt32, DType::kInt16}) {
    for (Layout layout : {Layout::kNd, Layout::kDn}) {
      for (const auto& order : orders) {
        bases.push_back(
            {{fmt::format("{}, dst {}, order {}", isa::Name(dtype),
                          isa::Name(layout),
                          order ? isa::Name(*order) : "the target's own"),
              MakeCase(row, {.dtype = dtype,
                             .columns = 130,
                             .dst_layout = layout,
                             .order = order})}});
      }
    }
  }
  return bases;
}

/// Layouts of the three tiles with each number of columns of dst.
void SweepLayouts(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, layouts, cols, rows] :
       out.Each<DType, int, std::int64_t, std::int64_t>(
           {DType::kFloat, DType::kHalf}, {0, 1, 2, 3, 4, 5, 6, 7},
           {0, 1, 2, 7, 8, 16}, {1, 2, 8, 16, 17})) {
    Case c = MakeCase(
        row, {.dtype = dtype, .rows = 16, .columns = 8, .spare_columns = 8});
    auto& [dst, src, tmp] = Subject(c).tiles;
    const auto layout = [&](int bit) {
      return (layouts >> bit & 1) != 0 ? Layout::kDn : Layout::kNd;
    };
    dst.layout = layout(0);
    src.layout = layout(1);
    tmp.layout = layout(2);
    dst.cols = cols;
    dst.rows = rows;
    dst.valid_row = src.valid_row = std::min<std::int64_t>(rows, 16);
    if (!Place(c)) continue;
    out.Give({.what = fmt::format("layouts: {} {} {}, dst {} by {} of {}",
                                  isa::Name(layout(0)), isa::Name(layout(1)),
                                  isa::Name(layout(2)), rows, cols,
                                  isa::Name(dtype)),
              .rule = row.Rule((layouts & 6) != 0   ? kSrcLayout
                               : (layouts & 1) != 0 ? kDstLayout
                                                    : kDstNdDeprecated),
              .c = std::move(c)});
  }
}

/// Rows whose number needs more than 8 bits.
void SweepManyRows(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, order, layout, rows] :
       out.Each<DType, Order, Layout, std::int64_t>(
           {DType::kFloat, DType::kHalf}, kEveryOrder,
           {Layout::kDn, Layout::kNd}, {255, 256, 257, 272})) {
    out.Give({.what = fmt::format("many rows: {} of {} in order {}", rows,
                                  isa::Name(dtype), isa::Name(order)),
              .rule = row.Rule(kAddress),
              .c = MakeCase(row, {.dtype = dtype,
                                  .rows = rows,
                                  .columns = 3,
                                  .dst_layout = layout,
                                  .order = order}),
              .data = Data::kNearOne});
  }
}

/// Each tile moved over each other one, by DataBlocks.
void SweepOverlap(Emitter& out, const isa::Signature& row) {
  for (const auto& [mover, other, block, layout] :
       out.Each<std::size_t, std::size_t, std::int64_t, Layout>(
           {0, 1, 2}, {0, 1, 2}, Range(-12, 12), {Layout::kDn, Layout::kNd})) {
    if (mover == other) continue;
    Case c = MakeCase(row, {.rows = 8, .columns = 9, .dst_layout = layout});
    auto& tiles = Subject(c).tiles;
    tiles[other].at = 4096;
    tiles[mover].at = 4096 + block * 32;
    tiles[3 - mover - other].at = 1024;
    Ub(c)->size = 8192;
    out.Give(
        {.what = fmt::format("tile {} against tile {}: {:+} DataBlocks, dst {}",
                             mover, other, block, isa::Name(layout)),
         .rule = row.Rule(kOverlap),
         .c = std::move(c)});
  }
}

constexpr DType kEveryFactor[] = {DType::kFloat, DType::kHalf, DType::kInt32,
                                  DType::kInt16};

std::uint64_t TwoOf(DType type) {
  if (!IsFloating(type)) return 2;
  return OneOf(type) + (type == DType::kHalf ? 0x400 : 0x800000);
}

/// Columns at and around every edge of blocks, repeats and powers of two.
ValueList<std::int64_t> InterestingColumns() {
  ValueList<std::int64_t> columns = Range(1, 40);
  for (std::int64_t n = 64; n <= 1024; n += 64) {
    for (std::int64_t d : {-1, 0, 1, 17}) {
      if (n + d <= 1024) columns.push_back(n + d);
    }
  }
  return columns;
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr Product kProducts[] = {Product::kAtlasA2, Product::kAtlasA3,
                                          Product::kAtlas200i500A2};
  static constexpr DType kTypes[] = {DType::kFloat, DType::kHalf, DType::kInt32,
                                     DType::kInt16};
  static constexpr std::int64_t kRows[] = {1, 2, 15, 16, 17};
  static constexpr std::int64_t kColumns[] = {1,  2,   15,  16,  63,
                                              64, 127, 128, 129, 300};
  std::optional<Order> order;
  if (classes[5] < kEveryOrder.size()) order = kEveryOrder[classes[5]];
  Case c = MakeCase(
      row, {.product = kProducts[classes[0]],
            .dtype = kTypes[classes[1]],
            .rows = kRows[classes[2]],
            .columns = kColumns[classes[3]],
            .dst_layout = classes[4] == 0 ? Layout::kDn : Layout::kNd,
            .order = order,
            .spare_columns = static_cast<std::int64_t>(classes[6]) * 16});
  Tmp(c).valid_col = static_cast<std::int64_t>(classes[7]);
  if (classes[8] == 1) Dst(c).at = Src(c).at + 32;
  if (c.product != Product::kAtlas200i500A2) {
    Prepend(c, isa::SetSaturation{.enabled = classes[9] == 0});
  }
  return c;
}

void SweepColumns(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, order, columns, data, saturate] :
       Combinations<DType, Order, std::int64_t, Data, bool>(
           {DType::kFloat, DType::kHalf}, kEveryOrder, InterestingColumns(),
           {Data::kNearOne, Data::kSpecial, Data::kSubnormals, Data::kTies},
           {true, false})) {
    // Only half has a mode.
    if (dtype == DType::kFloat && !saturate) continue;
    if (!out.Next()) continue;
    Case c = MakeCase(row, {.dtype = dtype,
                            .rows = 1,
                            .columns = columns,
                            .order = order,
                            .spare_columns = columns % 3});
    Prepend(c, isa::SetSaturation{.enabled = saturate});
    out.Give(
        {.what = fmt::format("columns: {} of {} in order {}, {}{}", columns,
                             isa::Name(dtype), isa::Name(order), DataName(data),
                             saturate ? ", saturating" : ""),
         .rule = row.Rule(kOrder),
         .c = std::move(c),
         .data = data});
  }
}

/// One column of a row of ones is another number: every column counts once.
void SweepSingleColumns(Emitter& out, const isa::Signature& row) {
  for (DType dtype : kEveryFactor) {
    const std::uint64_t two = TwoOf(dtype);
    for (std::int64_t columns :
         {3, 64, 128, 130, 192, 256, 320, 384, 448, 512, 640, 768, 1024}) {
      for (std::int64_t first = 0; first < columns; first += 16) {
        if (!out.Next()) continue;
        const std::int64_t rows = std::min<std::int64_t>(16, columns - first);
        Case c =
            MakeCase(row, {.dtype = dtype, .rows = rows, .columns = columns});
        std::vector<std::uint64_t> values;
        for (std::int64_t r = 0; r < rows; ++r) {
          for (std::int64_t j = 0; j < Src(c).cols; ++j) {
            // Columns behind the valid ones would show as well.
            const bool odd = j == first + r || j >= columns;
            values.push_back(odd ? two : OneOf(dtype));
          }
        }
        PutElements(c, isa::Memory::kUb, dtype, Src(c).at, values);
        out.Give({.what = fmt::format("single columns: from {} of {} {}", first,
                                      columns, isa::Name(dtype)),
                  .rule = row.Rule(kAddress),
                  .c = std::move(c)});
      }
    }
  }
}

/// Every pair of special values in two columns, `distance` apart.
void SweepValues(Emitter& out, const isa::Signature& row) {
  for (DType dtype : kEveryFactor) {
    const auto& values = SpecialValues(dtype);
    const auto n = static_cast<std::int64_t>(values.size());
    for (const auto& [a, order, distance, saturate] :
         out.Each<std::int64_t, Order, std::int64_t, bool>(
             Range(0, n - 1), kEveryOrder, {1, 4, 16, 64, 128},
             {true, false})) {
      Case c = MakeCase(
          row,
          {.dtype = dtype, .rows = n, .columns = distance + 1, .order = order});
      for (std::int64_t b = 0; b < n; ++b) {
        std::vector<std::uint64_t> elements(
            static_cast<std::size_t>(Src(c).cols), OneOf(dtype));
        elements[0] = values[static_cast<std::size_t>(a)];
        elements[static_cast<std::size_t>(distance)] =
            values[static_cast<std::size_t>(b)];
        PutElements(c, isa::Memory::kUb, dtype,
                    Src(c).at + b * Src(c).cols * isa::SizeBytes(dtype),
                    elements);
      }
      Prepend(c, isa::SetSaturation{.enabled = saturate});
      out.Give(
          {.what = fmt::format("values: {} value {} with every value {} "
                               "columns on in order {}{}",
                               isa::Name(dtype), a, distance, isa::Name(order),
                               saturate ? ", saturating" : ""),
           .rule = row.Rule(IsFloating(dtype) ? kSaturate : kIntegerOverflow),
           .c = std::move(c)});
    }
  }
}

void SweepAll(Emitter& out, const isa::Signature& row) {
  const Kit kit = {row, Bases(row), Breakers(), kFieldRules};
  SweepKit(out, kit);
  SweepLayouts(out, row);
  SweepManyRows(out, row);
  SweepColumns(out, row);
  SweepSingleColumns(out, row);
  SweepValues(out, row);
  SweepOverlap(out, row);
  SweepRows(out, {3, 4, 5, 10, 2, 5, 3, 2, 4, 2, 8},
            [&](const auto& classes) { return Combine(row, classes); });
  SweepEverywhere(out, kit, EveryBases(row));
}

}  // namespace
}  // namespace trowprod

void SweepTiles(Emitter& out, const isa::Signature& row) {
  trowprod::SweepAll(out, row);
}

}  // namespace lanediff::make::sweep

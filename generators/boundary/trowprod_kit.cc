#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/trowprod.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep::trowprod {
namespace {

using isa::Position;

std::vector<Breaker> Breakers() {
  return {
      {trp::kProduct, "atlas-training", {On(Product::kAtlasTraining)}},
      {trp::kDtype, "uint32", {Set("dtype", DType::kUint32)}},
      {trp::kDtype,
       "int32 in edition 2024",
       {In2024(), Set("dtype", DType::kInt32)}},
      {trp::kDtypeMatch, "dst double", {Set("dst.dtype", DType::kDouble)}},
      {trp::kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {trp::kDtypeMatch, "tmp uint8", {Set("tmp.dtype", DType::kUint8)}},
      {trp::kLocation,
       "dst at VECOUT",
       {Set("dst.position", Position::kVecout)}},
      {trp::kLocation, "src at GM", {Set("src.position", Position::kGm)}},
      {trp::kLocation,
       "tmp at VECCALC",
       {Set("tmp.position", Position::kVeccalc)}},
      {trp::kSrcLayout, "DN", {Set("src.layout", Layout::kDn)}},
      {trp::kDstLayout,
       "DN with 2 columns",
       {Set("dst.layout", Layout::kDn), Set("dst.cols", 2)}},
      {trp::kValidZero,
       "no row",
       {Set("dst.validRow", 0), Set("src.validRow", 0)}},
      {trp::kValidZero, "no column", {Set("src.validCol", 0)}},
      {trp::kValidRows, "one less", {Plus("dst.validRow", -1)}},
      {trp::kTmpShape, "one column of a DataBlock", {[](Case& c) {
         S(c).tmp.layout = Layout::kDn;
         S(c).tmp.rows = isa::kDataBlockBytes / isa::SizeBytes(S(c).dtype);
         S(c).tmp.cols = 1;
         return S(c).tmp.valid_row = S(c).tmp.valid_col = 0, true;
       }}},
      {trp::kTmpShape,
       "one row more in edition 2024",
       {In2024(), Plus("tmp.rows", 1)}},
      {trp::kTmpShape, "one DataBlock less in edition 2024", {[](Case& c) {
         c.edition = isa::Edition::k2024;
         S(c).tmp.cols =
             WrappingSum(S(c).tmp.cols,
                         -(isa::kDataBlockBytes / isa::SizeBytes(S(c).dtype)));
         return S(c).tmp.valid_col = 0, true;
       }}},
      {trp::kTile, "src.validCol too large", {[](Case& c) {
         return S(c).src.valid_col = WrappingSum(S(c).src.cols, 1), true;
       }}},
      {trp::kTile, "dst rows no whole DataBlock", {Plus("dst.rows", 1)}},
      {trp::kTile, "tmp.validRow -1", {Set("tmp.validRow", -1)}},
      {trp::kAlign, "dst.at 16 further", {Plus("dst.at", 16)}},
      {trp::kAlign, "tmp.at 2 further", {Plus("tmp.at", 2)}},
      {trp::kBounds, "memory one byte short", {[](Case& c) {
         if (!Ub(c) || Ub(c)->size == 0) return false;
         return --Ub(c)->size, true;
       }}},
      {trp::kBounds, "src before its memory", {Set("src.at", -32)}},
      {trp::kOverlap, "dst on src", {[](Case& c) {
         return S(c).dst.at = S(c).src.at, true;
       }}},
      {trp::kOverlap, "tmp on src", {[](Case& c) {
         return S(c).tmp.at = S(c).src.at, true;
       }}},
  };
}

}  // namespace

Kit MakeKit() {
  return {
      .op = Trowprod::kOp,
      .bounds = trp::kBounds,
      .bases = {{"float a2, DN", MakeCase({})},
                {"half a3, ND", MakeCase({.product = Product::kAtlasA3,
                                          .dtype = DType::kHalf,
                                          .rows = 3,
                                          .dst_layout = Layout::kNd,
                                          .spare_columns = 16})},
                {"half a2, one row of one column",
                 MakeCase({.dtype = DType::kHalf, .rows = 1, .columns = 1})},
                {"float a3, ND, whole row",
                 MakeCase({.product = Product::kAtlasA3,
                           .rows = 9,
                           .columns = 8,
                           .dst_layout = Layout::kNd,
                           .order = Order::kLeftFold})},
                {"int16 a2, DN", MakeCase({.dtype = DType::kInt16})}},
      .field_rules = {{"dst.at", trp::kAlign},
                      {"src.at", trp::kAlign},
                      {"tmp.at", trp::kAlign},
                      {"dst.validRow", trp::kValidRows},
                      {"src.validRow", trp::kValidZero},
                      {"src.validCol", trp::kValidZero},
                      {"tmp.rows", trp::kTmpShape},
                      {"tmp.cols", trp::kTmpShape},
                      {"dst.rows", trp::kTile},
                      {"dst.cols", trp::kDstLayout},
                      {"src.rows", trp::kTile},
                      {"src.cols", trp::kTile},
                      {"dst.validCol", trp::kTile},
                      {"tmp.validRow", trp::kTile},
                      {"tmp.validCol", trp::kTile}},
      .breakers = Breakers()};
}

std::vector<EveryBase> EveryBases() {
  std::vector<EveryBase> bases;
  for (DType dtype :
       {DType::kHalf, DType::kFloat, DType::kInt32, DType::kInt16}) {
    for (Layout layout : {Layout::kNd, Layout::kDn}) {
      for (std::size_t order = 0; order <= kEveryOrder.size(); ++order) {
        const auto wanted = order < kEveryOrder.size()
                                ? std::optional(kEveryOrder[order])
                                : std::nullopt;
        bases.push_back(
            {{fmt::format("{}, dst {}, order {}", isa::Name(dtype),
                          isa::Name(layout),
                          wanted ? isa::Name(*wanted) : "the target's own"),
              MakeCase({.dtype = dtype,
                        .columns = 130,
                        .dst_layout = layout,
                        .order = wanted})},
             true});
      }
    }
  }
  return bases;
}

}  // namespace lanediff::make::sweep::trowprod

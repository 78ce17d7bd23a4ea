#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/trowprod.h"

namespace lanediff::make::sweep::trowprod {
namespace {

std::vector<Breaker> Breakers() {
  return {
      {trp::kProduct, "atlas-training",
       [](Case& c) { return c.product = Product::kAtlasTraining, true; }},
      {trp::kDtype, "int32",
       [](Case& c) { return S(c).dtype = DType::kInt32, true; }},
      {trp::kDtypeMatch, "dst double",
       [](Case& c) { return S(c).dst.dtype = DType::kDouble, true; }},
      {trp::kDtypeMatch, "src bfloat16",
       [](Case& c) { return S(c).src.dtype = DType::kBfloat16, true; }},
      {trp::kDtypeMatch, "tmp uint8",
       [](Case& c) { return S(c).tmp.dtype = DType::kUint8, true; }},
      {trp::kLocation, "dst at VECOUT",
       [](Case& c) {
         return S(c).dst.position = isa::Position::kVecout, true;
       }},
      {trp::kLocation, "src at GM",
       [](Case& c) { return S(c).src.position = isa::Position::kGm, true; }},
      {trp::kLocation, "tmp at VECCALC",
       [](Case& c) {
         return S(c).tmp.position = isa::Position::kVeccalc, true;
       }},
      {trp::kSrcLayout, "DN",
       [](Case& c) { return S(c).src.layout = Layout::kDn, true; }},
      {trp::kDstLayout, "DN with 2 columns",
       [](Case& c) {
         S(c).dst.layout = Layout::kDn;
         return S(c).dst.cols = 2, true;
       }},
      {trp::kValidZero, "no row",
       [](Case& c) {
         S(c).dst.valid_row = 0;
         return S(c).src.valid_row = 0, true;
       }},
      {trp::kValidZero, "no column",
       [](Case& c) { return S(c).src.valid_col = 0, true; }},
      {trp::kValidRows, "one less",
       [](Case& c) { return S(c).dst.valid_row -= 1, true; }},
      {trp::kTmpShape, "one row more",
       [](Case& c) { return S(c).tmp.rows += 1, true; }},
      {trp::kTmpShape, "one DataBlock less",
       [](Case& c) {
         S(c).tmp.cols -= 32 / isa::SizeBytes(S(c).dtype);
         return S(c).tmp.valid_col = 0, true;
       }},
      {trp::kTile, "src.validCol too large",
       [](Case& c) { return S(c).src.valid_col = S(c).src.cols + 1, true; }},
      {trp::kTile, "dst rows no whole DataBlock",
       [](Case& c) { return S(c).dst.rows += 1, true; }},
      {trp::kTile, "tmp.validRow -1",
       [](Case& c) { return S(c).tmp.valid_row = -1, true; }},
      {trp::kAlign, "dst.at 16 further",
       [](Case& c) { return S(c).dst.at += 16, true; }},
      {trp::kAlign, "tmp.at 2 further",
       [](Case& c) { return S(c).tmp.at += 2, true; }},
      {trp::kBounds, "memory one byte short",
       [](Case& c) {
         if (!Ub(c) || Ub(c)->size == 0) return false;
         return --Ub(c)->size, true;
       }},
      {trp::kBounds, "src before its memory",
       [](Case& c) { return S(c).src.at = -32, true; }},
      {trp::kOverlap, "dst on src",
       [](Case& c) { return S(c).dst.at = S(c).src.at, true; }},
      {trp::kOverlap, "tmp on src",
       [](Case& c) { return S(c).tmp.at = S(c).src.at, true; }},
  };
}

}  // namespace

Kit MakeKit() {
  return {
      .op = Trowprod::kOp,
      .needs = Needs,
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
                           .order = Order::kLeftFold})}},
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
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (Layout layout : {Layout::kNd, Layout::kDn}) {
      for (std::size_t order = 0; order <= kEveryOrder.size(); ++order) {
        const auto asked = order < kEveryOrder.size()
                               ? std::optional(kEveryOrder[order])
                               : std::nullopt;
        bases.push_back(
            {{fmt::format("{}, dst {}, order {}", isa::Name(dtype),
                          isa::Name(layout),
                          asked ? isa::Name(*asked) : "the target's own"),
              MakeCase({.dtype = dtype,
                        .columns = 130,
                        .dst_layout = layout,
                        .order = asked})},
             true});
      }
    }
  }
  return bases;
}

}  // namespace lanediff::make::sweep::trowprod

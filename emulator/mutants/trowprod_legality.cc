// TROWPROD: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::trp;
using emulator::Extent;
using emulator::State;
using emulator::Wide;
using isa::DType;
using isa::Layout;
using isa::Product;
using isa::RuleSet;
using isa::Tile;
using Call = isa::Trowprod;

Extent ExtentOf(const Tile& tile, DType type) {
  return {tile.at,
          tile.at + Wide{tile.rows} * tile.cols * emulator::ElementBytes(type)};
}

/// From the first to the last valid element of an ND tile.
Extent ValidExtentOf(const Tile& tile, DType type) {
  const Wide elements = Wide{tile.valid_row - 1} * tile.cols + tile.valid_col;
  return {tile.at, tile.at + elements * emulator::ElementBytes(type)};
}

Table Overlaps() {
  return {
      JudgedBy<Call>(
          {"trp-overlap-tmp-ignored", rule::kOverlap,
           "holds dst against src only", "scratch left out of an alias check"},
          [](const Call& c, const State& s) {
            return Weakened(
                Real(c, s), rule::kOverlap,
                ExtentOf(c.dst, c.dtype).Meets(ExtentOf(c.src, c.dtype)));
          }),
      JudgedBy<Call>({"trp-overlap-of-valid-part-only", rule::kOverlap,
                      "holds dst and tmp against the valid part of src only"},
                     [](const Call& c, const State& s) {
                       const RuleSet broken = Real(c, s);
                       if (!broken.Contains(rule::kOverlap)) return broken;
                       const Extent src = ValidExtentOf(c.src, c.dtype);
                       const Extent dst = ExtentOf(c.dst, c.dtype);
                       const Extent tmp = ExtentOf(c.tmp, c.dtype);
                       return Weakened(
                           broken, rule::kOverlap,
                           dst.Meets(src) || dst.Meets(tmp) || src.Meets(tmp));
                     }),
      JudgedBy<Call>({"trp-overlap-same-start-only", rule::kOverlap,
                      "objects to tiles that start at the same byte only"},
                     [](const Call& c, const State& s) {
                       const RuleSet broken = Real(c, s);
                       if (!broken.Contains(rule::kOverlap)) return broken;
                       return Weakened(broken, rule::kOverlap,
                                       c.dst.at == c.src.at ||
                                           c.dst.at == c.tmp.at ||
                                           c.src.at == c.tmp.at);
                     }),
      JudgedBy<Call>({"trp-overlap-touching", rule::kOverlap,
                      "takes tiles side by side for overlapping ones",
                      "<= for < in a comparison of ranges"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       if (!broken.empty()) return broken;
                       const Extent src = ExtentOf(c.src, c.dtype);
                       const Extent dst = ExtentOf(c.dst, c.dtype);
                       const Extent tmp = ExtentOf(c.tmp, c.dtype);
                       broken.AddIf(Touch(dst, src) || Touch(dst, tmp) ||
                                        Touch(src, tmp),
                                    rule::kOverlap);
                       return broken;
                     }),
  };
}

Table Shapes() {
  return {
      MisreadBy<Call>(
          {"trp-valid-col-zero-accepted", rule::kValidZero,
           "accepts src.validCol = 0 and writes the empty product 1"},
          [](Call& c) {
            if (c.src.valid_col == 0 && c.src.cols > 0) c.src.valid_col = 1;
          }),
      MisreadBy<Call>({"trp-fewer-dst-rows-accepted", rule::kValidRows,
                       "accepts a dst whose validRow is below that of src"},
                      [](Call& c) {
                        if (c.dst.valid_row < c.src.valid_row &&
                            c.dst.valid_row >= 0 &&
                            c.src.valid_row <= c.dst.rows) {
                          c.dst.valid_row = c.src.valid_row;
                        }
                      }),
      StricterBy<Call>({"trp-tmp-of-src-shape", rule::kTmpShape,
                        "wants tmp to have the shape of src",
                        "the constraint of the page of 2024"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.tmp.rows != c.src.rows ||
                                          c.tmp.cols != c.src.cols,
                                      rule::kTmpShape);
                       }),
      JudgedBy<Call>({"trp-tmp-of-any-width", rule::kTmpShape,
                      "accepts a tmp of one column"},
                     [](const Call& c, const State& s) {
                       return s.edition == isa::Edition::k2024 ||
                                      c.tmp.rows < 1 || c.tmp.cols < 1
                                  ? Real(c, s)
                                  : Without(Real(c, s), rule::kTmpShape);
                     }),
      JudgedBy<Call>(
          {"trp-edition-ignored", rule::kDtype,
           "has the types and tmp of the newest edition in 2024 as well"},
          [](const Call& c, const State& s) { return Real(c, Newest(s)); }),
      MisreadBy<Call>({"trp-larger-tmp-accepted", rule::kTmpShape,
                       "accepts a tmp with more rows than src in edition "
                       "2024"},
                      [](Call& c) {
                        if (c.tmp.rows > c.src.rows &&
                            c.tmp.valid_row <= c.src.rows) {
                          c.tmp.rows = c.src.rows;
                        }
                      }),
      MisreadBy<Call>({"trp-dst-dn-of-many-columns-accepted", rule::kDstLayout,
                       "accepts a DN dst of more than one column"},
                      [](Call& c) {
                        if (c.dst.layout == Layout::kDn && c.dst.cols > 1) {
                          c.dst.cols = 1;
                          c.dst.valid_col =
                              std::min<std::int64_t>(c.dst.valid_col, 1);
                        }
                      }),
      MisreadBy<Call>({"trp-src-dn-accepted", rule::kSrcLayout,
                       "accepts a src in DN and reads it as ND"},
                      [](Call& c) { c.src.layout = Layout::kNd; }),
      MisreadBy<Call>({"trp-src-align-16", rule::kAlign,
                       "is content with a src aligned to 16 bytes"},
                      [](Call& c) {
                        if (c.src.at % 32 == 16) c.src.at -= 16;
                      }),
      JudgedBy<Call>(
          {"trp-bounds-of-valid-part-only", rule::kBounds,
           "lets the rows of src that are not valid leave the memory"},
          [](const Call& c, const State& s) {
            Call valid = c;
            valid.src.rows = valid.tmp.rows = c.src.valid_row;
            valid.tmp.valid_row = 0;
            return Weakened(Real(c, s), rule::kBounds,
                            Real(valid, s).Contains(rule::kBounds));
          }),
  };
}

Table Tables() {
  return {
      ConfusedOn<Call, Product::kAtlasA3, Product::kAtlasTraining>(
          {"trp-product-a3-refused", rule::kProduct, "refuses atlas-a3",
           "A2A3 read as one product"}),
      ConfusedOn<Call, Product::kAtlas200i500A2, Product::kAtlasA2>(
          {"trp-product-200i-accepted", rule::kProduct,
           "takes atlas-200i-500-a2 for an A2"}),
      MisreadBy<Call>({"trp-dtype-bfloat16-accepted", rule::kDtype,
                       "takes bfloat16 for a supported type"},
                      [](Call& c) {
                        if (c.dtype == DType::kBfloat16) c.dtype = DType::kHalf;
                      }),
      JudgedBy<Call>({"trp-int16-refused", rule::kDtype, "refuses int16"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       broken.AddIf(c.dtype == DType::kInt16, rule::kDtype);
                       return broken;
                     }),
      MisreadBy<Call>({"trp-vecin-accepted", rule::kLocation,
                       "accepts a src at VECIN", "VECIN, too, lies in UB"},
                      [](Call& c) {
                        if (c.src.position == isa::Position::kVecin) {
                          c.src.position = isa::Position::kUb;
                        }
                      }),
      MisreadBy<Call>(
          {"trp-tmp-dtype-unchecked", rule::kDtypeMatch,
           "does not look at the type of tmp", "scratch taken for plain bytes"},
          [](Call& c) { c.tmp.dtype = std::nullopt; }),
      JudgedBy<Call>({"trp-valid-zero-reported-as-rows", rule::kValidZero,
                      "reports TRP-VALID-ROWS where TRP-VALID-ZERO is broken"},
                     [](const Call& c, const State& s) {
                       return Instead(Real(c, s), rule::kValidZero,
                                      rule::kValidRows);
                     }),
      JudgedBy<Call>(
          {"trp-first-rule-only", rule::kTile,
           "reports one of several broken rules", "a chain of assertions"},
          [](const Call& c, const State& s) { return FirstOnly(Real(c, s)); }),
  };
}

}  // namespace

Table TrowprodLegality() { return Joined(Overlaps(), Shapes(), Tables()); }

}  // namespace lanediff::mutants

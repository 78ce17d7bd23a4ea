// TROWPROD: seams of legality.

#include <algorithm>
#include <functional>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::Extent;
using emulator::State;
using emulator::Wide;
using isa::Call;
using isa::DType;
using isa::Layout;
using isa::Product;
using isa::RuleSet;
using isa::Tile;

Extent ExtentOf(const Tile& tile, DType type) {
  return {tile.at,
          tile.at + Wide{tile.rows} * tile.cols * emulator::ElementBytes(type)};
}

/// From the first to the last valid element of an ND tile.
Extent ValidExtentOf(const Tile& tile, DType type) {
  const Wide elements = Wide{tile.valid_row - 1} * tile.cols + tile.valid_col;
  return {tile.at, tile.at + elements * emulator::ElementBytes(type)};
}

/// Whether `meet` holds of two of dst, `src` in the place of src, and tmp.
bool AnyMeet(const Call& c, const Extent& src, auto meet) {
  const Extent dst = ExtentOf(c.tiles[0], c.dtype);
  const Extent tmp = ExtentOf(c.tiles[2], c.dtype);
  return meet(dst, src) || meet(dst, tmp) || meet(src, tmp);
}

Table Overlaps() {
  return {
      kTileRow("trp-overlap-tmp-ignored", kOverlap,
               "holds dst against src only",
               "scratch left out of an alias check")
          .JudgedBy([](const Call& c, const State& s) {
            const auto& [dst, src, tmp] = c.tiles;
            return Weakened(
                Real(c, s), c.Rule(kOverlap),
                ExtentOf(dst, c.dtype).Meets(ExtentOf(src, c.dtype)));
          }),
      kTileRow("trp-overlap-of-valid-part-only", kOverlap,
               "holds dst and tmp against the valid part of src only")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kOverlap))) return broken;
            const Extent src = ValidExtentOf(c.tiles[1], c.dtype);
            return Weakened(broken, c.Rule(kOverlap),
                            AnyMeet(c, src, std::mem_fn(&Extent::Meets)));
          }),
      kTileRow("trp-overlap-same-start-only", kOverlap,
               "objects to tiles that start at the same byte only")
          .JudgedBy([](const Call& c, const State& s) {
            const auto& [dst, src, tmp] = c.tiles;
            return Weakened(
                Real(c, s), c.Rule(kOverlap),
                dst.at == src.at || dst.at == tmp.at || src.at == tmp.at);
          }),
      kTileRow("trp-overlap-touching", kOverlap,
               "takes tiles side by side for overlapping ones",
               "<= for < in a comparison of ranges")
          .StricterBy([](RuleSet& broken, const Call& c) {
            const Extent src = ExtentOf(c.tiles[1], c.dtype);
            broken.AddIf(AnyMeet(c, src, Touch), c.Rule(kOverlap));
          }),
  };
}

Table Shapes() {
  return {
      kTileRow("trp-valid-col-zero-accepted", kValidZero,
               "accepts src.validCol = 0 and writes the empty product 1")
          .MisreadBy([](Call& c) {
            Tile& src = c.tiles[1];
            if (src.valid_col == 0 && src.cols > 0) src.valid_col = 1;
          }),
      kTileRow("trp-fewer-dst-rows-accepted", kValidRows,
               "accepts a dst whose validRow is below that of src")
          .MisreadBy([](Call& c) {
            auto& [dst, src, tmp] = c.tiles;
            if (dst.valid_row < src.valid_row && dst.valid_row >= 0 &&
                src.valid_row <= dst.rows) {
              dst.valid_row = src.valid_row;
            }
          }),
      kTileRow("trp-tmp-of-src-shape", kTmpShape,
               "wants tmp to have the shape of src",
               "the constraint of the page of 2024")
          .StricterBy([](RuleSet& broken, const Call& c) {
            const auto& [dst, src, tmp] = c.tiles;
            broken.AddIf(tmp.rows != src.rows || tmp.cols != src.cols,
                         c.Rule(kTmpShape));
          }),
      kTileRow("trp-tmp-of-any-width", kTmpShape, "accepts a tmp of one column")
          .JudgedBy([](const Call& c, const State& s) {
            const Tile& tmp = c.tiles[2];
            return s.edition == isa::Edition::k2024 || tmp.rows < 1 ||
                           tmp.cols < 1
                       ? Real(c, s)
                       : Without(Real(c, s), c.Rule(kTmpShape));
          }),
      kTileRow("trp-edition-ignored", kDtype,
               "has the types and tmp of the newest edition in 2024 as well")
          .JudgedBy(
              [](const Call& c, const State& s) { return Real(c, Newest(s)); }),
      kTileRow("trp-larger-tmp-accepted", kTmpShape,
               "accepts a tmp with more rows than src in edition "
               "2024")
          .MisreadBy([](Call& c) {
            auto& [dst, src, tmp] = c.tiles;
            if (tmp.rows > src.rows && tmp.valid_row <= src.rows) {
              tmp.rows = src.rows;
            }
          }),
      kTileRow("trp-dst-dn-of-many-columns-accepted", kDstLayout,
               "accepts a DN dst of more than one column")
          .MisreadBy([](Call& c) {
            Tile& dst = c.tiles[0];
            if (dst.layout == Layout::kDn && dst.cols > 1) {
              dst.cols = 1;
              dst.valid_col = std::min<std::int64_t>(dst.valid_col, 1);
            }
          }),
      kTileRow("trp-src-dn-accepted", kSrcLayout,
               "accepts a src in DN and reads it as ND")
          .MisreadBy([](Call& c) { c.tiles[1].layout = Layout::kNd; }),
      kTileRow("trp-src-align-16", kAlign,
               "is content with a src aligned to 16 bytes")
          .MisreadBy([](Call& c) {
            auto& at = c.tiles[1].at;
            if (at % 32 == 16) at -= 16;
          }),
      kTileRow("trp-bounds-of-valid-part-only", kBounds,
               "lets the rows of src that are not valid leave the memory")
          .WeakenedBy<kBounds>([](Call& c) {
            auto& [dst, src, tmp] = c.tiles;
            src.rows = tmp.rows = src.valid_row;
            tmp.valid_row = 0;
          }),
  };
}

Table Tables() {
  return {
      kTileRow("trp-product-a3-refused", kProduct, "refuses atlas-a3",
               "A2A3 read as one product")
          .ConfusedOn<Product::kAtlasA3, Product::kAtlasTraining>(),
      kTileRow("trp-product-200i-accepted", kProduct,
               "takes atlas-200i-500-a2 for an A2")
          .ConfusedOn<Product::kAtlas200i500A2, Product::kAtlasA2>(),
      kTileRow("trp-dtype-bfloat16-accepted", kDtype,
               "takes bfloat16 for a supported type")
          .MisreadBy([](Call& c) {
            if (c.dtype == DType::kBfloat16) c.dtype = DType::kHalf;
          }),
      kTileRow("trp-int16-refused", kDtype, "refuses int16")
          .JudgedBy([](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            broken.AddIf(c.dtype == DType::kInt16, c.Rule(kDtype));
            return broken;
          }),
      kTileRow("trp-vecin-accepted", kLocation, "accepts a src at VECIN",
               "VECIN, too, lies in UB")
          .MisreadBy([](Call& c) {
            auto& position = c.tiles[1].position;
            if (position == isa::Position::kVecin) {
              position = isa::Position::kUb;
            }
          }),
      kTileRow("trp-tmp-dtype-unchecked", kDtypeMatch,
               "does not look at the type of tmp",
               "scratch taken for plain bytes")
          .MisreadBy([](Call& c) { c.tiles[2].dtype = std::nullopt; }),
      kTileRow("trp-valid-zero-reported-as-rows", kValidZero,
               "reports TRP-VALID-ROWS where TRP-VALID-ZERO is broken")
          .Instead<kValidZero, kValidRows>(),
      kTileRow("trp-first-rule-only", kTile,
               "reports one of several broken rules", "a chain of assertions")
          .JudgedBy([](const Call& c, const State& s) {
            return FirstOnly(Real(c, s));
          }),
  };
}

}  // namespace

Table TrowprodLegality() { return Joined(Overlaps(), Shapes(), Tables()); }

}  // namespace lanediff::mutants

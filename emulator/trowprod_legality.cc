#include <cstddef>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/trowprod.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::trp;
using isa::DType;
using isa::Layout;
using isa::Product;
using isa::RuleSet;
using isa::Tile;
using isa::Trowprod;

/// TRP-TILE for one tile.
bool IsWellFormed(const Tile& tile, std::int64_t element) {
  if (tile.rows < 1 || tile.cols < 1) return false;
  const Wide contiguous = tile.layout == Layout::kNd ? tile.cols : tile.rows;
  return InRange(tile.valid_row, 0, tile.rows) &&
         InRange(tile.valid_col, 0, tile.cols) &&
         contiguous * element % kBlockBytes == 0;
}

RuleSet BrokenParameters(const Trowprod& c, const State& state) {
  const std::int64_t element = ElementBytes(c.dtype);
  const auto all = [&c](auto holds) {
    return holds(c.dst) && holds(c.src) && holds(c.tmp);
  };
  RuleSet broken;
  broken.AddIf(
      state.product != Product::kAtlasA2 && state.product != Product::kAtlasA3,
      rule::kProduct);
  const bool older = state.edition == isa::Edition::k2024;
  const bool integer = c.dtype == DType::kInt32 || c.dtype == DType::kInt16;
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat &&
                   (older || !integer),
               rule::kDtype);
  broken.AddIf(!all([&](const Tile& t) { return TypeIs(t, c.dtype); }),
               rule::kDtypeMatch);
  broken.AddIf(
      !all([](const Tile& t) { return t.position == isa::Position::kUb; }),
      rule::kLocation);
  broken.AddIf(c.src.layout != Layout::kNd, rule::kSrcLayout);
  broken.AddIf(c.dst.layout != Layout::kNd && c.dst.cols != 1,
               rule::kDstLayout);
  broken.AddIf(c.src.valid_row == 0 || c.src.valid_col == 0, rule::kValidZero);
  broken.AddIf(c.dst.valid_row != c.src.valid_row, rule::kValidRows);
  broken.AddIf(older ? c.tmp.rows != c.src.rows || c.tmp.cols != c.src.cols
                     : c.tmp.rows < 1 || c.tmp.cols < kBlockBytes / element,
               rule::kTmpShape);
  broken.AddIf(!all([&](const Tile& t) { return IsWellFormed(t, element); }),
               rule::kTile);
  broken.AddIf(!all([](const Tile& t) { return t.at % kBlockBytes == 0; }),
               rule::kAlign);
  return broken;
}

/// Whether the tile, well formed, lies in a memory of `size` bytes. Its own
/// size may be beyond 128 bits, so that the space is divided instead.
bool TileFits(const Tile& tile, std::int64_t element, std::size_t size) {
  const Wide space = static_cast<Wide>(size) - tile.at;
  return tile.at >= 0 && space >= 0 &&
         tile.rows <= space / (Wide{tile.cols} * element);
}

Extent ExtentOf(const Tile& tile, std::int64_t element) {
  return {tile.at, tile.at + Wide{tile.rows} * tile.cols * element};
}

}  // namespace

RuleSet TrowprodLegality(const Trowprod& call, const State& state) {
  RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;

  const std::int64_t element = ElementBytes(call.dtype);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(!TileFits(call.dst, element, ub) ||
                   !TileFits(call.src, element, ub) ||
                   !TileFits(call.tmp, element, ub),
               rule::kBounds);
  if (!broken.empty()) return broken;

  const Extent dst = ExtentOf(call.dst, element);
  const Extent src = ExtentOf(call.src, element);
  const Extent tmp = ExtentOf(call.tmp, element);
  broken.AddIf(dst.Meets(src) || dst.Meets(tmp) || src.Meets(tmp),
               rule::kOverlap);
  return broken;
}

}  // namespace lanediff::emulator

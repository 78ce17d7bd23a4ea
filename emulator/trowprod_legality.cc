#include <cstddef>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/trowprod.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::DType;
using isa::Layout;
using isa::Product;
using isa::RuleSet;
using isa::Tile;

/// TRP-TILE for one tile.
bool IsWellFormed(const Tile& tile, std::int64_t element) {
  if (tile.rows < 1 || tile.cols < 1) return false;
  const Wide contiguous = tile.layout == Layout::kNd ? tile.cols : tile.rows;
  return InRange(tile.valid_row, 0, tile.rows) &&
         InRange(tile.valid_col, 0, tile.cols) &&
         contiguous * element % kBlockBytes == 0;
}

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  const std::int64_t element = ElementBytes(c.dtype);
  const auto& [dst, src, tmp] = c.tiles;
  const auto all = [&c](auto holds) {
    return holds(c.tiles[0]) && holds(c.tiles[1]) && holds(c.tiles[2]);
  };
  broken.AddIf(
      state.product != Product::kAtlasA2 && state.product != Product::kAtlasA3,
      CallRule::kProduct);
  const bool older = state.edition == isa::Edition::k2024;
  const bool integer = c.dtype == DType::kInt32 || c.dtype == DType::kInt16;
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat &&
                   (older || !integer),
               CallRule::kDtype);
  broken.AddIf(!all([&](const Tile& t) { return TypeIs(t, c.dtype); }),
               CallRule::kDtypeMatch);
  broken.AddIf(
      !all([](const Tile& t) { return t.position == isa::Position::kUb; }),
      CallRule::kLocation);
  broken.AddIf(src.layout != Layout::kNd, CallRule::kSrcLayout);
  broken.AddIf(dst.layout != Layout::kNd && dst.cols != 1,
               CallRule::kDstLayout);
  broken.AddIf(src.valid_row == 0 || src.valid_col == 0, CallRule::kValidZero);
  broken.AddIf(dst.valid_row != src.valid_row, CallRule::kValidRows);
  broken.AddIf(older ? tmp.rows != src.rows || tmp.cols != src.cols
                     : tmp.rows < 1 || tmp.cols < kBlockBytes / element,
               CallRule::kTmpShape);
  broken.AddIf(!all([&](const Tile& t) { return IsWellFormed(t, element); }),
               CallRule::kTile);
  broken.AddIf(!all([](const Tile& t) { return t.at % kBlockBytes == 0; }),
               CallRule::kAlign);
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

RuleSet TrowprodLegality(const Call& call, const State& state) {
  RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  AddBrokenParameters(call, state, broken);
  if (!rules.empty()) return rules;

  const std::int64_t element = ElementBytes(call.dtype);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  for (const Tile& tile : call.tiles) {
    broken.AddIf(!TileFits(tile, element, ub), CallRule::kBounds);
  }
  if (!rules.empty()) return rules;

  const Extent dst = ExtentOf(call.tiles[0], element);
  const Extent src = ExtentOf(call.tiles[1], element);
  const Extent tmp = ExtentOf(call.tiles[2], element);
  broken.AddIf(dst.Meets(src) || dst.Meets(tmp) || src.Meets(tmp),
               CallRule::kOverlap);
  return rules;
}

}  // namespace lanediff::emulator

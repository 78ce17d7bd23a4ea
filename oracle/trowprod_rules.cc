#include "oracle/trowprod_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"

namespace lanediff::oracle {

using isa::CallRule;
using isa::DType;
using isa::Layout;
using isa::Position;
using isa::RuleSet;
using isa::Tile;

namespace {

// ---- Stage 1 ---------------------------------------------------------------

/// TRP-TILE.
bool TileIsWellFormed(const Tile& tile, std::int64_t element_bytes) {
  if (tile.rows < 1 || tile.cols < 1) return false;
  if (tile.valid_row < 0 || tile.valid_row > tile.rows) return false;
  if (tile.valid_col < 0 || tile.valid_col > tile.cols) return false;
  const Address line =
      Address{tile.layout == Layout::kNd ? tile.cols : tile.rows} *
      element_bytes;
  return line % 32 == 0;
}

/// TRP-DTYPE: the page of 2024 has two types, that of 2026 four.
bool TypeIsListed(DType type, isa::Edition edition) {
  if (type == DType::kHalf || type == DType::kFloat) return true;
  return edition == isa::Edition::k2026 &&
         (type == DType::kInt32 || type == DType::kInt16);
}

/// TRP-TMP-SHAPE: once src's shape, now a row of one block of 32 bytes or more.
bool TmpIsLargeEnough(const isa::Call& call, isa::Edition edition) {
  const auto& [dst, src, tmp] = call.tiles;
  if (edition == isa::Edition::k2024) {
    return tmp.rows == src.rows && tmp.cols == src.cols;
  }
  const Address row = Address{tmp.cols} * ElementBytes(call.dtype);
  return tmp.rows >= 1 && row >= 32;
}

}  // namespace

RuleSet TileParameterRules(const isa::Call& call, const Oracle::State& state) {
  using enum CallRule;
  const isa::Product product = state.product;
  RuleSet broken;
  broken.AddIf(
      product != isa::Product::kAtlasA2 && product != isa::Product::kAtlasA3,
      call.Rule(kProduct));
  broken.AddIf(!TypeIsListed(call.dtype, state.edition), call.Rule(kDtype));
  for (const Tile& tile : call.tiles) {
    broken.AddIf(tile.dtype.value_or(call.dtype) != call.dtype,
                 call.Rule(kDtypeMatch));
    broken.AddIf(tile.position != Position::kUb, call.Rule(kLocation));
    broken.AddIf(!TileIsWellFormed(tile, ElementBytes(call.dtype)),
                 call.Rule(kTile));
    broken.AddIf(tile.at % 32 != 0, call.Rule(kAlign));
  }
  const auto& [dst, src, tmp] = call.tiles;
  broken.AddIf(src.layout != Layout::kNd, call.Rule(kSrcLayout));
  broken.AddIf(dst.layout == Layout::kDn && dst.cols != 1,
               call.Rule(kDstLayout));
  broken.AddIf(src.valid_row == 0 || src.valid_col == 0, call.Rule(kValidZero));
  broken.AddIf(dst.valid_row != src.valid_row, call.Rule(kValidRows));
  broken.AddIf(!TmpIsLargeEnough(call, state.edition), call.Rule(kTmpShape));
  return broken;
}

// ---- What a call reads and writes -------------------------------------------

std::optional<ByteSpan> WindowOf(const Tile& tile, std::int64_t element_bytes) {
  if (tile.rows < 0 || tile.cols < 0) return std::nullopt;
  constexpr Address kLimit = Address{1} << 100;
  const Address column = Address{tile.rows} * element_bytes;
  const bool is_huge = tile.cols > 0 && column > kLimit / tile.cols;
  return ByteSpan{.first = tile.at,
                  .end = tile.at + (is_huge ? kLimit : column * tile.cols)};
}

Address ElementAddress(const Tile& tile, std::int64_t r, std::int64_t c,
                       std::int64_t element_bytes) {
  const Address index = tile.layout == Layout::kNd
                            ? Address{r} * Near(tile.cols) + c
                            : Address{c} * Near(tile.rows) + r;
  return tile.at + index * element_bytes;
}

namespace {

/// From the first to the last byte of the elements (r, c) with r < `rows` and
/// c < `cols`; no bytes if there are none.
ByteSpan SpanOf(const Tile& tile, std::int64_t rows, std::int64_t cols,
                std::int64_t element_bytes) {
  if (rows <= 0 || cols <= 0) return {};
  const Address at = tile.at;
  ByteSpan span{.first = at, .end = at + element_bytes};
  // Addresses are linear in r and in c: a corner reaches furthest.
  const std::array end_rows = {std::int64_t{0}, rows - 1};
  const std::array end_cols = {std::int64_t{0}, cols - 1};
  for (const std::int64_t r : end_rows) {
    for (const std::int64_t c : end_cols) {
      const Address element = ElementAddress(tile, r, c, element_bytes);
      span.first = std::min(span.first, element);
      span.end = std::max(span.end, element + element_bytes);
    }
  }
  return span;
}

}  // namespace

RowListing::RowListing(const isa::Call& call)
    : element_bytes(ElementBytes(call.dtype)),
      rows(NotTooMany(call.tiles[isa::Call::kSrcTile].valid_row)),
      cols(NotTooMany(call.tiles[isa::Call::kSrcTile].valid_col)),
      read(SpanOf(call.tiles[isa::Call::kSrcTile], rows, cols, element_bytes)),
      written(SpanOf(call.tiles[isa::Call::kDstTile], rows, 1, element_bytes)) {
}

// ---- Stages 2 and 3 ---------------------------------------------------------

std::optional<TileLines> LinesOf(const Tile& tile, std::int64_t element_bytes) {
  if (tile.rows < 0 || tile.cols < 0) return std::nullopt;
  const bool nd = tile.layout == Layout::kNd;
  const std::int64_t elements = Near(nd ? tile.cols : tile.rows);
  return TileLines{
      .count = elements == 0 ? 0 : NotTooMany(nd ? tile.rows : tile.cols),
      .line = ListContiguous(tile.at, element_bytes, elements,
                             Address{elements} * element_bytes)};
}

bool TileIsInMemory(const TileLines& tile, isa::Memory memory,
                    const isa::Memories& memories) {
  // However many lines there are, the first ones fill every memory.
  isa::Operand whole;
  whole.bytes = static_cast<std::int64_t>(memories[memory].size());
  return RunIsInWindow(whole, tile.line.at, 0) &&
         LanesAreInWindow(whole, tile.line, tile.count);
}

bool TilesOverlap(const TileLines& a, const TileLines& b) {
  // Lines follow each other: a tile has every byte of its span.
  return a.count > 0 && b.count > 0 &&
         SpansMeet(a.line, a.count, b.line, b.count);
}

bool ShareBytes(const ByteSpan& a, const ByteSpan& b) {
  return std::max(a.first, b.first) < std::min(a.end, b.end);
}

// ---- Each rule by itself ----------------------------------------------------

namespace {

/// A tile of a call, whatever it breaks.
struct UsedTile {
  UsedTile(const Tile& t, const ByteSpan& bytes, std::int64_t element_bytes,
           const Oracle::State& state)
      : tile(t),
        used(bytes),
        memory(MemoryOf(state.product, t.position)),
        lines(LinesOf(t, element_bytes)),
        is_inside(memory && lines &&
                  TileIsInMemory(*lines, *memory, state.memories)) {}

  /// TRP-BOUNDS. A tile with a negative side has no window, but a start.
  bool BreaksBounds() const {
    if (!memory) return false;
    if (!lines) return tile.at < 0;
    if (!is_inside) return true;
    if (used.first == used.end) return false;
    return used.first < tile.at || used.end > lines->line.StartOf(lines->count);
  }

  /// Whether its bytes can be listed.
  bool IsListed() const {
    return is_inside &&
           !IsTooMuch(lines->count, 1, lines->line.BytesOfIteration());
  }

  const Tile& tile;
  ByteSpan used;  ///< what is read or written
  std::optional<isa::Memory> memory;
  std::optional<TileLines> lines;
  bool is_inside;
};

bool Overlap(const UsedTile& a, const UsedTile& b) {
  return a.IsListed() && b.IsListed() && a.memory == b.memory &&
         TilesOverlap(*a.lines, *b.lines);
}

}  // namespace

RuleSet TileRulesAnywhere(const isa::Call& call, const Oracle::State& state) {
  RuleSet broken = TileParameterRules(call, state);
  const RowListing listing(call);
  const std::int64_t bytes = listing.element_bytes;
  const UsedTile dst(call.tiles[isa::Call::kDstTile], listing.written, bytes,
                     state);
  const UsedTile src(call.tiles[isa::Call::kSrcTile], listing.read, bytes,
                     state);
  const UsedTile tmp(call.tiles[isa::Call::kTmpTile], {}, bytes, state);
  broken.AddIf(dst.BreaksBounds() || src.BreaksBounds() || tmp.BreaksBounds(),
               call.Rule(CallRule::kBounds));
  broken.AddIf(Overlap(dst, src) || Overlap(dst, tmp) || Overlap(src, tmp),
               call.Rule(CallRule::kOverlap));
  return broken;
}

}  // namespace lanediff::oracle

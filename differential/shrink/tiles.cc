// Brings the tiles of TROWPROD toward one row and few columns.

#include <algorithm>
#include <functional>

#include "differential/shrink/attempts.h"
#include "differential/shrink/places.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff::shrink {
namespace {

using isa::Tile;
using isa::Trowprod;

using isa::kDataBlockBytes;

Trowprod& At(Case& c, std::size_t i) {
  return std::get<Trowprod>(c.program[i]);
}

std::int64_t Sane(std::int64_t value) {
  return std::clamp<std::int64_t>(value, 0, kFarAway);
}

/// The least multiple of a DataBlock's elements that holds `count`.
std::int64_t WholeBlocks(std::int64_t count, isa::DType type) {
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(type);
  return std::max<std::int64_t>(1, (Sane(count) + unit - 1) / unit) * unit;
}

/// `count` valid columns in src and tmp, which are no wider than they need. The
/// rows of src move together with their data.
void SetColumns(Case& c, std::size_t i, std::int64_t count) {
  Trowprod& call = At(c, i);
  call.src.valid_col = count;
  for (Tile* tile : {&call.src, &call.tmp}) {
    tile->cols = WholeBlocks(count, call.dtype);
    tile->valid_col = std::min(tile->valid_col, tile->cols);
  }
}

/// `count` valid rows in all tiles, which are no higher than they need.
void SetRows(Case& c, std::size_t i, std::int64_t count) {
  Trowprod& call = At(c, i);
  call.src.valid_row = count;
  call.dst.valid_row = count;
  for (Tile* tile : {&call.src, &call.dst, &call.tmp}) {
    tile->rows = tile->layout == isa::Layout::kDn
                     ? WholeBlocks(count, call.dtype)
                     : std::max<std::int64_t>(1, count);
    tile->valid_row = std::min(tile->valid_row, tile->rows);
  }
  call.tmp.rows = call.src.rows;
}

/// dst of one column, without gaps.
void SetDense(Case& c, std::size_t i) {
  Tile& dst = At(c, i).dst;
  dst.layout = isa::Layout::kDn;
  dst.cols = 1;
  dst.valid_col = std::min<std::int64_t>(dst.valid_col, 1);
  dst.rows = WholeBlocks(dst.valid_row, At(c, i).dtype);
}

/// Begins src at the row of the finding.
bool SkipRows(Attempts& attempts, std::size_t i) {
  const Finding finding = attempts.finding();
  if (finding.step != i || !finding.difference) return false;
  const std::int64_t skip = finding.difference->iteration;
  if (skip <= 0) return false;
  return attempts.Change([&](Case& c) {
    Trowprod& call = At(c, i);
    call.src.at += skip * call.src.cols * isa::SizeBytes(call.dtype);
    SetRows(c, i, 1);
  });
}

/// Single fields, for those rules that speak of the tiles themselves.
bool LowerTile(Attempts& attempts, std::size_t i, Tile Trowprod::* tile) {
  struct Field {
    std::int64_t Tile::* member;
    std::int64_t simplest;
  };
  const std::array fields = {Field{&Tile::valid_row, 1},
                             Field{&Tile::valid_col, 1}, Field{&Tile::rows, 1},
                             Field{&Tile::cols, 1}};
  bool any = false;
  for (const Field& field : fields) {
    Case c = attempts.best();
    const std::int64_t now = At(c, i).*tile.*field.member;
    any |= attempts.Lower(now, field.simplest, [&](Case& to, std::int64_t v) {
      (At(to, i).*tile).*field.member = v;
    });
  }
  return any;
}

bool ShrinkCall(Attempts& attempts, std::size_t i) {
  bool any = SkipRows(attempts, i);
  const auto src = [&] {
    return std::get<Trowprod>(attempts.best().program[i]).src;
  };
  any |= attempts.Lower(src().valid_row, 1, [&](Case& c, std::int64_t count) {
    SetRows(c, i, count);
  });
  any |= attempts.Lower(src().valid_col, 1, [&](Case& c, std::int64_t count) {
    SetColumns(c, i, count);
  });
  any |= attempts.Change([&](Case& c) { SetRows(c, i, src().valid_row); });
  any |= attempts.Change([&](Case& c) { SetColumns(c, i, src().valid_col); });
  any |= attempts.Change([&](Case& c) { SetDense(c, i); });
  for (auto tile : {&Trowprod::src, &Trowprod::dst, &Trowprod::tmp}) {
    any |= LowerTile(attempts, i, tile);
  }
  return any;
}

}  // namespace

bool ShrinkTiles(Attempts& attempts) {
  bool any = false;
  for (std::size_t i = 0; i < attempts.best().program.size(); ++i) {
    if (std::holds_alternative<Trowprod>(attempts.best().program[i])) {
      any |= ShrinkCall(attempts, i);
    }
  }
  return any;
}

}  // namespace lanediff::diff::shrink

#pragma once

#include <cstdint>
#include <optional>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// A window `[at, at + bytes)` of the memory behind `position`. Both numbers
/// are bytes and may be anything a case can hold: negative, huge, outside the
/// memory.
struct Operand {
  Position position = Position::kGm;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  /// Only where the operand's own type differs from the step's.
  std::optional<DType> dtype;

  bool operator==(const Operand&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("position", s.position);
    v.Integer("at", s.at);
    v.Integer("bytes", s.bytes);
    v.OptionalWord("dtype", s.dtype);
  }
};

/// A tile of PTO in the memory behind `position`: `rows` × `cols` elements, of
/// which the first `valid_row` × `valid_col` count. Element (r, c) is number
/// r·cols + c in layout ND and c·rows + r in DN.
struct Tile {
  Position position = Position::kUb;
  std::int64_t at = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t valid_row = 0;
  std::int64_t valid_col = 0;
  Layout layout = Layout::kNd;
  /// Only where the tile's own type differs from the step's.
  std::optional<DType> dtype;

  bool operator==(const Tile&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("position", s.position);
    v.Integer("at", s.at);
    v.Integer("rows", s.rows);
    v.Integer("cols", s.cols);
    v.Integer("validRow", s.valid_row);
    v.Integer("validCol", s.valid_col);
    v.Word("layout", s.layout);
    v.OptionalWord("dtype", s.dtype);
  }
};

}  // namespace lanediff::isa

#pragma once

#include <cstdint>
#include <optional>

#include "isa/call.h"
#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/oracle.h"

/// What a TROWPROD reads and writes, and the rules about it, stage by stage.
namespace lanediff::oracle {

/// The bytes that a tile occupies; nothing where a side is negative. Sizes that
/// no memory has end at 2^100 bytes.
std::optional<ByteSpan> WindowOf(const isa::Tile& tile,
                                 std::int64_t element_bytes);

/// TRP-ADDRESS: element (r, c) of a tile, with r and c below `kMany`.
Address ElementAddress(const isa::Tile& tile, std::int64_t r, std::int64_t c,
                       std::int64_t element_bytes);

/// What a call reads and writes.
struct RowListing {
  explicit RowListing(const isa::Call& call);

  std::int64_t element_bytes;
  std::int64_t rows;
  std::int64_t cols;
  ByteSpan read;     ///< from the first to the last byte
  ByteSpan written;  ///< likewise
};

/// Stage 1.
isa::RuleSet TileParameterRules(const isa::Call& call,
                                const Oracle::State& state);

bool ShareBytes(const ByteSpan& a, const ByteSpan& b);

/// The elements of a tile, line by line: a line is a row of ND and a column of
/// DN, and they follow each other. A tile without elements has no line.
struct TileLines {
  std::int64_t count = 0;
  LaneList line;
};

/// Nothing where a side is negative.
std::optional<TileLines> LinesOf(const isa::Tile& tile,
                                 std::int64_t element_bytes);

/// TRP-BOUNDS: whether every line lies in `memory`.
bool TileIsInMemory(const TileLines& tile, isa::Memory memory,
                    const isa::Memories& memories);

/// TRP-OVERLAP for two tiles inside the same memory.
bool TilesOverlap(const TileLines& a, const TileLines& b);

/// Each rule by itself.
isa::RuleSet TileRulesAnywhere(const isa::Call& call,
                               const Oracle::State& state);

}  // namespace lanediff::oracle

#pragma once

#include <cstdint>
#include <optional>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/trowprod.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"

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
  explicit RowListing(const isa::Trowprod& call);

  std::int64_t element_bytes;
  std::int64_t rows;
  std::int64_t cols;
  ByteSpan read;     ///< from the first to the last byte
  ByteSpan written;  ///< likewise
};

/// Stage 1.
isa::RuleSet ParameterRules(const isa::Trowprod& call, isa::Product product);

bool ShareBytes(const ByteSpan& a, const ByteSpan& b);

/// TRP-OVERLAP for two tiles of the same memory.
bool TilesOverlap(const isa::Tile& a, const isa::Tile& b,
                  std::int64_t element_bytes);

}  // namespace lanediff::oracle

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// TROWPROD (PTO): the product of each row of `src` into column 0 of `dst`.
struct Trowprod {
  static constexpr std::string_view kOp = "TROWPROD";
  static constexpr std::string_view kSlug = "trowprod";
  /// The tile whose bytes are unspecified afterwards and never compared.
  static constexpr std::string_view kScratch = "tmp";

  DType dtype = DType::kFloat;
  Tile dst;
  Tile src;
  Tile tmp;
  /// The order requested; none: the one that the target declares.
  std::optional<Order> order;

  bool operator==(const Trowprod&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Tile("dst", s.dst);
    v.Tile("src", s.src);
    v.Tile("tmp", s.tmp);
    v.OptionalWord("order", s.order);
  }
};

namespace trp {
inline constexpr RuleId kProduct{"TRP-PRODUCT"};
inline constexpr RuleId kDtype{"TRP-DTYPE"};
inline constexpr RuleId kDtypeMatch{"TRP-DTYPE-MATCH"};
inline constexpr RuleId kLocation{"TRP-LOCATION"};
inline constexpr RuleId kSrcLayout{"TRP-SRC-LAYOUT"};
inline constexpr RuleId kDstLayout{"TRP-DST-LAYOUT"};
inline constexpr RuleId kValidZero{"TRP-VALID-ZERO"};
inline constexpr RuleId kValidRows{"TRP-VALID-ROWS"};
inline constexpr RuleId kTmpShape{"TRP-TMP-SHAPE"};
inline constexpr RuleId kTile{"TRP-TILE"};
inline constexpr RuleId kAlign{"TRP-ALIGN"};
inline constexpr RuleId kBounds{"TRP-BOUNDS"};
inline constexpr RuleId kOverlap{"TRP-OVERLAP"};
inline constexpr RuleId kDstNdDeprecated{"TRP-DST-ND-DEPRECATED"};
inline constexpr RuleId kAddress{"TRP-ADDRESS"};
inline constexpr RuleId kOrder{"TRP-ORDER"};
inline constexpr RuleId kSaturate{"TRP-SATURATE"};
inline constexpr RuleId kIntegerOverflow{"TRP-INTEGER-OVERFLOW"};
}  // namespace trp

}  // namespace lanediff::isa

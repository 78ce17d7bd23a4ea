#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/form.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// Blocks and gaps of a DataCopy. `block_len` and `dst_gap` count 32 bytes, or
/// 64 where dst is at C2, or 128 where it is at C2PIPE2GM; `src_gap` counts 32.
struct DataCopyParams {
  std::int64_t block_count = 0;
  std::int64_t block_len = 0;
  std::int64_t src_gap = 0;  ///< from the tail of a block to the next head
  std::int64_t dst_gap = 0;

  bool operator==(const DataCopyParams&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Integer("blockCount", s.block_count);
    v.Integer("blockLen", s.block_len);
    v.Integer("srcGap", s.src_gap);
    v.Integer("dstGap", s.dst_gap);
  }
};

/// DataCopy (Ascend C): copies `count` elements, or blocks with gaps. The
/// fields of the other form are zero and mean nothing.
struct DataCopy {
  static constexpr std::string_view kOp = "DataCopy";
  static constexpr std::string_view kSlug = "data_copy";

  /// Values of `form`.
  static constexpr std::uint8_t kCount = 0;
  static constexpr std::uint8_t kParams = 1;
  static constexpr std::array<FormKey, 2> kForms = {{
      {"count", FormShape::kInteger},
      {"params", FormShape::kObject},
  }};

  DType dtype = DType::kHalf;
  Operand dst;
  Operand src;
  std::uint8_t form = kCount;
  std::int64_t count = 0;
  DataCopyParams params;

  bool operator==(const DataCopy&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Operand("src", s.src);
    v.Form(s.form, kForms);
    if (s.form == kCount) {
      v.Integer("count", s.count);
    } else {
      v.Group("params", s.params);
    }
  }
};

namespace dc {
inline constexpr RuleId kProduct{"DC-PRODUCT"};
inline constexpr RuleId kRoute{"DC-ROUTE"};
inline constexpr RuleId kDtype{"DC-DTYPE"};
inline constexpr RuleId kMixed{"DC-MIXED"};
inline constexpr RuleId kDstAlign{"DC-DST-ALIGN"};
inline constexpr RuleId kSrcAlign{"DC-SRC-ALIGN"};
inline constexpr RuleId kBlockCount{"DC-BLOCK-COUNT"};
inline constexpr RuleId kBlockLen{"DC-BLOCK-LEN"};
inline constexpr RuleId kGap{"DC-GAP"};
inline constexpr RuleId kBounds{"DC-BOUNDS"};
inline constexpr RuleId kOverlap{"DC-OVERLAP"};
inline constexpr RuleId kCount{"DC-COUNT"};
inline constexpr RuleId kBarrier{"DC-BARRIER"};
inline constexpr RuleId kCountFloor{"DC-COUNT-FLOOR"};
inline constexpr RuleId kCountEmpty{"DC-COUNT-EMPTY"};
inline constexpr RuleId kAddress{"DC-ADDRESS"};
inline constexpr RuleId kCountLength{"DC-COUNT-LENGTH"};
inline constexpr RuleId kBits{"DC-BITS"};
inline constexpr RuleId kRouteExample{"DC-ROUTE-EXAMPLE"};
inline constexpr RuleId kBlockEmpty{"DC-BLOCK-EMPTY"};
}  // namespace dc

}  // namespace lanediff::isa

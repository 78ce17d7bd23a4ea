#pragma once

#include <cstdint>
#include <string_view>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// RepeatReduceSum (Ascend C): iteration r sums the participating lanes of the
/// 256 bytes it reads from `src` and writes one element to `dst`. The fields
/// may hold any 64-bit integer; the rules decide which of them make a legal
/// call.
struct RepeatReduceSum {
  static constexpr std::string_view kOp = "RepeatReduceSum";
  static constexpr std::string_view kSlug = "repeat_reduce_sum";

  DType dtype = DType::kHalf;
  Operand dst;
  Operand src;
  std::int64_t repeat = 0;
  std::int64_t elems_in_one_repeat = 0;
  std::int64_t dst_blk_stride = 0;
  std::int64_t src_blk_stride = 0;
  /// In elements; the other strides are in DataBlocks of 32 bytes.
  std::int64_t dst_rep_stride = 0;
  std::int64_t src_rep_stride = 0;
  bool is_set_mask = true;

  bool operator==(const RepeatReduceSum&) const = default;

  /// Shows every field to `v` under the document's name (see isa/fields.h).
  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Operand("src", s.src);
    v.Integer("repeat", s.repeat);
    v.Integer("elemsInOneRepeat", s.elems_in_one_repeat);
    v.Integer("dstBlkStride", s.dst_blk_stride);
    v.Integer("srcBlkStride", s.src_blk_stride);
    v.Integer("dstRepStride", s.dst_rep_stride);
    v.Integer("srcRepStride", s.src_rep_stride);
    v.Flag("isSetMask", s.is_set_mask, true);
  }
};

namespace rrs {
inline constexpr RuleId kProduct{"RRS-PRODUCT"};
inline constexpr RuleId kDtype{"RRS-DTYPE"};
inline constexpr RuleId kDtypeMatch{"RRS-DTYPE-MATCH"};
inline constexpr RuleId kPosition{"RRS-POSITION"};
inline constexpr RuleId kDstAlign{"RRS-DST-ALIGN"};
inline constexpr RuleId kSrcAlign{"RRS-SRC-ALIGN"};
inline constexpr RuleId kRepeat{"RRS-REPEAT"};
inline constexpr RuleId kElems{"RRS-ELEMS"};
inline constexpr RuleId kPlaceholder{"RRS-PLACEHOLDER"};
inline constexpr RuleId kStrideRange{"RRS-STRIDE-RANGE"};
inline constexpr RuleId kDstRepStrideZero{"RRS-DST-REP-STRIDE-ZERO"};
inline constexpr RuleId kBounds{"RRS-BOUNDS"};
inline constexpr RuleId kOverlapIteration{"RRS-OVERLAP-ITERATION"};
inline constexpr RuleId kOverlapDependency{"RRS-OVERLAP-DEPENDENCY"};
inline constexpr RuleId kDstBlkStride{"RRS-DST-BLK-STRIDE"};
inline constexpr RuleId kAddress{"RRS-ADDRESS"};
inline constexpr RuleId kTree{"RRS-TREE"};
inline constexpr RuleId kInOrder{"RRS-IN-ORDER"};
inline constexpr RuleId kSaturate{"RRS-SATURATE"};
inline constexpr RuleId kRepeatZero{"RRS-REPEAT-ZERO"};
inline constexpr RuleId kMaskEmpty{"RRS-MASK-EMPTY"};
inline constexpr RuleId kPreferWholeReduceSum{"RRS-PREFER-WHOLE-REDUCE-SUM"};
}  // namespace rrs

}  // namespace lanediff::isa

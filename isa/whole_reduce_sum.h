#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/form.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// WholeReduceSum (Ascend C): iteration r sums the participating lanes of the
/// 256 bytes it reads from `src` and writes one element to `dst`. The mask of
/// the other form is zero and means nothing.
struct WholeReduceSum {
  static constexpr std::string_view kOp = "WholeReduceSum";
  static constexpr std::string_view kSlug = "whole_reduce_sum";

  /// Values of `form`.
  static constexpr std::uint8_t kContiguous = 0;  ///< the first `mask` lanes
  static constexpr std::uint8_t kBitwise = 1;     ///< the lanes of `mask_words`
  static constexpr std::array<FormKey, 2> kForms = {{
      {"mask", FormShape::kInteger},
      {"mask", FormShape::kWords},
  }};

  DType dtype = DType::kHalf;
  Operand dst;
  Operand src;
  std::uint8_t form = kContiguous;
  std::int64_t mask = 0;
  /// Bit i of the first word is lane i, of the second lane 64 + i.
  std::array<std::uint64_t, 2> mask_words = {};
  std::int64_t repeat_times = 0;
  /// In elements; the other strides are in DataBlocks of 32 bytes.
  std::int64_t dst_rep_stride = 0;
  std::int64_t src_blk_stride = 0;
  std::int64_t src_rep_stride = 0;
  bool is_set_mask = true;

  bool operator==(const WholeReduceSum&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Operand("src", s.src);
    v.Form(s.form, kForms);
    if (s.form == kContiguous) {
      v.Integer("mask", s.mask);
    } else {
      v.MaskWords("mask", s.mask_words);
    }
    v.Integer("repeatTimes", s.repeat_times);
    v.Integer("dstRepStride", s.dst_rep_stride);
    v.Integer("srcBlkStride", s.src_blk_stride);
    v.Integer("srcRepStride", s.src_rep_stride);
    v.Flag("isSetMask", s.is_set_mask, true);
  }
};

namespace wrs {
inline constexpr RuleId kProduct{"WRS-PRODUCT"};
inline constexpr RuleId kDtype{"WRS-DTYPE"};
inline constexpr RuleId kDtypeMatch{"WRS-DTYPE-MATCH"};
inline constexpr RuleId kPosition{"WRS-POSITION"};
inline constexpr RuleId kDstAlign{"WRS-DST-ALIGN"};
inline constexpr RuleId kSrcAlign{"WRS-SRC-ALIGN"};
inline constexpr RuleId kRepeat{"WRS-REPEAT"};
inline constexpr RuleId kStrideRange{"WRS-STRIDE-RANGE"};
inline constexpr RuleId kDstRepStrideZero{"WRS-DST-REP-STRIDE-ZERO"};
inline constexpr RuleId kMaskContiguous{"WRS-MASK-CONTIGUOUS"};
inline constexpr RuleId kMaskBits{"WRS-MASK-BITS"};
inline constexpr RuleId kPlaceholder{"WRS-PLACEHOLDER"};
inline constexpr RuleId kBounds{"WRS-BOUNDS"};
inline constexpr RuleId kOverlapIteration{"WRS-OVERLAP-ITERATION"};
inline constexpr RuleId kOverlapDependency{"WRS-OVERLAP-DEPENDENCY"};
inline constexpr RuleId kAddress{"WRS-ADDRESS"};
inline constexpr RuleId kMaskLanes{"WRS-MASK-LANES"};
inline constexpr RuleId kTree{"WRS-TREE"};
inline constexpr RuleId kSaturate{"WRS-SATURATE"};
inline constexpr RuleId kInOrder{"WRS-IN-ORDER"};
inline constexpr RuleId kRepeatZero{"WRS-REPEAT-ZERO"};
inline constexpr RuleId kMaskEmpty{"WRS-MASK-EMPTY"};
}  // namespace wrs

}  // namespace lanediff::isa

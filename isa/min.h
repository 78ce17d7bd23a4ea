#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/form.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// Strides of Min's operands, all in DataBlocks of 32 bytes.
struct BinaryRepeatParams {
  std::int64_t dst_blk_stride = 0;
  std::int64_t src0_blk_stride = 0;
  std::int64_t src1_blk_stride = 0;
  std::int64_t dst_rep_stride = 0;
  std::int64_t src0_rep_stride = 0;
  std::int64_t src1_rep_stride = 0;

  bool operator==(const BinaryRepeatParams&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Integer("dstBlkStride", s.dst_blk_stride);
    v.Integer("src0BlkStride", s.src0_blk_stride);
    v.Integer("src1BlkStride", s.src1_blk_stride);
    v.Integer("dstRepStride", s.dst_rep_stride);
    v.Integer("src0RepStride", s.src0_rep_stride);
    v.Integer("src1RepStride", s.src1_rep_stride);
  }
};

/// Min (Ascend C): element-wise minimum of `src0` and `src1` into `dst`. The
/// fields of the other forms are zero and mean nothing.
struct Min {
  static constexpr std::string_view kOp = "Min";
  static constexpr std::string_view kRoom = "min";

  /// Values of `form`.
  static constexpr std::uint8_t kCount = 0;  ///< the first `count` elements
  static constexpr std::uint8_t kContiguous = 1;  ///< the first `mask` lanes
  static constexpr std::uint8_t kBitwise = 2;     ///< the lanes of `mask_words`
  static constexpr std::array<FormKey, 3> kForms = {{
      {"count", FormShape::kInteger},
      {"mask", FormShape::kInteger},
      {"mask", FormShape::kWords},
  }};

  DType dtype = DType::kHalf;
  Operand dst;
  Operand src0;
  Operand src1;
  std::uint8_t form = kCount;
  std::int64_t count = 0;
  std::int64_t mask = 0;
  /// Bit i of the first word is lane i, of the second lane 64 + i.
  std::array<std::uint64_t, 2> mask_words = {};
  std::int64_t repeat_times = 0;
  BinaryRepeatParams repeat_params;
  bool is_set_mask = true;  ///< not of the count form

  bool operator==(const Min&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Operand("src0", s.src0);
    v.Operand("src1", s.src1);
    v.Form(s.form, kForms);
    if (s.form == kCount) {
      v.Integer("count", s.count);
      return;
    }
    if (s.form == kContiguous) {
      v.Integer("mask", s.mask);
    } else {
      v.MaskWords("mask", s.mask_words);
    }
    v.Integer("repeatTimes", s.repeat_times);
    v.Group("repeatParams", s.repeat_params);
    v.Flag("isSetMask", s.is_set_mask, true);
  }
};

namespace min {
inline constexpr RuleId kProduct{"MIN-PRODUCT"};
inline constexpr RuleId kDtype{"MIN-DTYPE"};
inline constexpr RuleId kDtypeMatch{"MIN-DTYPE-MATCH"};
inline constexpr RuleId kPosition{"MIN-POSITION"};
inline constexpr RuleId kAlign{"MIN-ALIGN"};
inline constexpr RuleId kCount{"MIN-COUNT"};
inline constexpr RuleId kRepeat{"MIN-REPEAT"};
inline constexpr RuleId kStrideRange{"MIN-STRIDE-RANGE"};
inline constexpr RuleId kDstBlkStrideZero{"MIN-DST-BLK-STRIDE-ZERO"};
inline constexpr RuleId kMaskContiguous{"MIN-MASK-CONTIGUOUS"};
inline constexpr RuleId kMaskBits{"MIN-MASK-BITS"};
inline constexpr RuleId kPlaceholder{"MIN-PLACEHOLDER"};
inline constexpr RuleId kBounds{"MIN-BOUNDS"};
inline constexpr RuleId kOverlapIteration{"MIN-OVERLAP-ITERATION"};
inline constexpr RuleId kOverlapDependency{"MIN-OVERLAP-DEPENDENCY"};
inline constexpr RuleId kOverlapSources{"MIN-OVERLAP-SOURCES"};
inline constexpr RuleId kOverlapCount{"MIN-OVERLAP-COUNT"};
inline constexpr RuleId kAddress{"MIN-ADDRESS"};
inline constexpr RuleId kMaskLanes{"MIN-MASK-LANES"};
inline constexpr RuleId kValue{"MIN-VALUE"};
inline constexpr RuleId kUnmasked{"MIN-UNMASKED"};
inline constexpr RuleId kInOrder{"MIN-IN-ORDER"};
inline constexpr RuleId kClobbersMask{"MIN-CLOBBERS-MASK"};
inline constexpr RuleId kNop{"MIN-NOP"};
}  // namespace min

}  // namespace lanediff::isa

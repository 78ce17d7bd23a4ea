#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/form.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// The calls of Ascend C that combine two sources element by element: Min, Max,
/// Add, Sub, Mul. They have their forms, operands, fields and addresses in
/// common, and differ in what they compute, in their rules' names and in their
/// documents. A new one is a tag with its words, below.
namespace lanediff::isa {

/// Strides of the three operands, all in DataBlocks of 32 bytes.
struct BinaryRepeatParams {
  std::int64_t dst_blk_stride = 0;
  std::int64_t src0_blk_stride = 0;
  std::int64_t src1_blk_stride = 0;
  std::int64_t dst_rep_stride = 0;
  std::int64_t src0_rep_stride = 0;
  std::int64_t src1_rep_stride = 0;

  bool operator==(const BinaryRepeatParams&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Integer("dstBlkStride", s.dst_blk_stride);
    v.Integer("src0BlkStride", s.src0_blk_stride);
    v.Integer("src1BlkStride", s.src1_blk_stride);
    v.Integer("dstRepStride", s.dst_rep_stride);
    v.Integer("src0RepStride", s.src0_rep_stride);
    v.Integer("src1RepStride", s.src1_rep_stride);
  }
};

/// A call that combines `src0` and `src1` into `dst`. `Tag` has the words: kOp,
/// kSlug and kRules, with which its rules' names begin. The fields of the other
/// forms are zero and mean nothing.
template <class Tag>
struct ElementwiseCall {
  static constexpr std::string_view kOp = Tag::kOp;
  static constexpr std::string_view kSlug = Tag::kSlug;

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

  bool operator==(const ElementwiseCall&) const = default;

  static void Fields(auto& s, auto& v) {
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

/// The end of a rule's name, as a literal: "-PRODUCT".
template <std::size_t N>
struct RuleEnd {
  std::array<char, N - 1> chars{};
  consteval RuleEnd(const char (&text)[N]) {  // NOLINT: a literal is meant
    for (std::size_t i = 0; i + 1 < N; ++i) chars[i] = text[i];
  }
};

/// "MIN-PRODUCT" of Min's tag and "-PRODUCT".
template <class Tag, RuleEnd kEnd>
struct NamedRule {
  static constexpr std::size_t kSize = Tag::kRules.size() + kEnd.chars.size();
  static constexpr std::array<char, kSize> kText = [] {
    std::array<char, kSize> text{};
    std::size_t size = 0;
    for (char c : Tag::kRules) text[size++] = c;
    for (char c : kEnd.chars) text[size++] = c;
    return text;
  }();
  static constexpr RuleId kId{std::string_view(kText.data(), kSize)};
};

/// The names of the rules of `Tag`'s call.
template <class Tag>
struct ElementwiseRules {
  template <RuleEnd kEnd>
  static constexpr RuleId kNamed = NamedRule<Tag, kEnd>::kId;

  static constexpr RuleId kProduct = kNamed<"-PRODUCT">;
  static constexpr RuleId kDtype = kNamed<"-DTYPE">;
  static constexpr RuleId kDtypeMatch = kNamed<"-DTYPE-MATCH">;
  static constexpr RuleId kPosition = kNamed<"-POSITION">;
  static constexpr RuleId kAlign = kNamed<"-ALIGN">;
  static constexpr RuleId kCount = kNamed<"-COUNT">;
  static constexpr RuleId kRepeat = kNamed<"-REPEAT">;
  static constexpr RuleId kStrideRange = kNamed<"-STRIDE-RANGE">;
  static constexpr RuleId kDstBlkStrideZero = kNamed<"-DST-BLK-STRIDE-ZERO">;
  static constexpr RuleId kMaskContiguous = kNamed<"-MASK-CONTIGUOUS">;
  static constexpr RuleId kMaskBits = kNamed<"-MASK-BITS">;
  static constexpr RuleId kPlaceholder = kNamed<"-PLACEHOLDER">;
  static constexpr RuleId kBounds = kNamed<"-BOUNDS">;
  static constexpr RuleId kOverlapIteration = kNamed<"-OVERLAP-ITERATION">;
  static constexpr RuleId kOverlapDependency = kNamed<"-OVERLAP-DEPENDENCY">;
  static constexpr RuleId kOverlapSources = kNamed<"-OVERLAP-SOURCES">;
  static constexpr RuleId kOverlapCount = kNamed<"-OVERLAP-COUNT">;
  static constexpr RuleId kAddress = kNamed<"-ADDRESS">;
  static constexpr RuleId kMaskLanes = kNamed<"-MASK-LANES">;
  static constexpr RuleId kValue = kNamed<"-VALUE">;
  /// Of calls whose results may leave an integer type: not Min, not Max.
  static constexpr RuleId kIntegerOverflow = kNamed<"-INTEGER-OVERFLOW">;
  static constexpr RuleId kUnmasked = kNamed<"-UNMASKED">;
  static constexpr RuleId kInOrder = kNamed<"-IN-ORDER">;
  static constexpr RuleId kClobbersMask = kNamed<"-CLOBBERS-MASK">;
  static constexpr RuleId kNop = kNamed<"-NOP">;
};

/// Whether `Step` is one of these calls, and its tag and rules.
template <class Step>
inline constexpr bool kIsElementwise = false;
template <class Tag>
inline constexpr bool kIsElementwise<ElementwiseCall<Tag>> = true;

// The calls, and their rules.

struct MinTag {
  static constexpr std::string_view kOp = "Min";
  static constexpr std::string_view kSlug = "min";
  static constexpr std::string_view kRules = "MIN";
};
/// Min (Ascend C): element-wise minimum of `src0` and `src1` into `dst`.
using Min = ElementwiseCall<MinTag>;
using min = ElementwiseRules<MinTag>;

struct MaxTag {
  static constexpr std::string_view kOp = "Max";
  static constexpr std::string_view kSlug = "max";
  static constexpr std::string_view kRules = "MAX";
};
/// Max (Ascend C): element-wise maximum of `src0` and `src1` into `dst`.
using Max = ElementwiseCall<MaxTag>;
using max = ElementwiseRules<MaxTag>;

struct AddTag {
  static constexpr std::string_view kOp = "Add";
  static constexpr std::string_view kSlug = "add";
  static constexpr std::string_view kRules = "ADD";
};
/// Add (Ascend C): element-wise sum of `src0` and `src1` into `dst`.
using Add = ElementwiseCall<AddTag>;
using add = ElementwiseRules<AddTag>;

struct SubTag {
  static constexpr std::string_view kOp = "Sub";
  static constexpr std::string_view kSlug = "sub";
  static constexpr std::string_view kRules = "SUB";
};
/// Sub (Ascend C): element-wise difference, `src0` less `src1`, into `dst`.
using Sub = ElementwiseCall<SubTag>;
using sub = ElementwiseRules<SubTag>;

struct MulTag {
  static constexpr std::string_view kOp = "Mul";
  static constexpr std::string_view kSlug = "mul";
  static constexpr std::string_view kRules = "MUL";
};
/// Mul (Ascend C): element-wise product of `src0` and `src1` into `dst`.
using Mul = ElementwiseCall<MulTag>;
using mul = ElementwiseRules<MulTag>;

}  // namespace lanediff::isa

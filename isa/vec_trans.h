#pragma once

#include <cstdint>
#include <string_view>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// vec_trans (TIK): transposes 16×16 blocks of 16-bit elements. The strides
/// count 512 bytes, from head to head.
struct VecTrans {
  static constexpr std::string_view kOp = "vec_trans";
  static constexpr std::string_view kSlug = "vec_trans";

  DType dtype = DType::kHalf;
  Operand dst;
  Operand src;
  std::int64_t repeat_times = 0;
  std::int64_t dst_rep_stride = 0;
  std::int64_t src_rep_stride = 0;

  bool operator==(const VecTrans&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Operand("src", s.src);
    v.Integer("repeat_times", s.repeat_times);
    v.Integer("dst_rep_stride", s.dst_rep_stride);
    v.Integer("src_rep_stride", s.src_rep_stride);
  }
};

namespace vt {
inline constexpr RuleId kProduct{"VT-PRODUCT"};
inline constexpr RuleId kDtype{"VT-DTYPE"};
inline constexpr RuleId kDtypeMatch{"VT-DTYPE-MATCH"};
inline constexpr RuleId kScope{"VT-SCOPE"};
inline constexpr RuleId kAlign{"VT-ALIGN"};
inline constexpr RuleId kRepeat{"VT-REPEAT"};
inline constexpr RuleId kDstStride{"VT-DST-STRIDE"};
inline constexpr RuleId kSrcStride{"VT-SRC-STRIDE"};
inline constexpr RuleId kBounds{"VT-BOUNDS"};
inline constexpr RuleId kOverlap{"VT-OVERLAP"};
inline constexpr RuleId kAddress{"VT-ADDRESS"};
inline constexpr RuleId kTranspose{"VT-TRANSPOSE"};
inline constexpr RuleId kInOrder{"VT-IN-ORDER"};
inline constexpr RuleId kBits{"VT-BITS"};
}  // namespace vt

}  // namespace lanediff::isa

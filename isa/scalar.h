#pragma once

#include <cstdint>
#include <string_view>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Elements that the scalar unit reads and writes, one at a time (LocalTensor).
namespace lanediff::isa {

/// Reads the element at `src.at + index·sizeof(T)`. Nothing is done with it.
struct GetValue {
  static constexpr std::string_view kOp = "GetValue";

  DType dtype = DType::kHalf;
  Operand src;
  std::int64_t index = 0;

  bool operator==(const GetValue&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("src", s.src);
    v.Integer("index", s.index);
  }
};

/// Writes `value` to the element at `dst.at + index·sizeof(T)`.
struct SetValue {
  static constexpr std::string_view kOp = "SetValue";

  DType dtype = DType::kHalf;
  Operand dst;
  std::int64_t index = 0;
  std::uint64_t value = 0;  ///< the element's bits, zero above its width

  bool operator==(const SetValue&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Integer("index", s.index);
    v.Element("value", s.dtype, s.value);
  }
};

namespace scalar {
inline constexpr RuleId kProduct{"SCALAR-PRODUCT"};
inline constexpr RuleId kPosition{"SCALAR-POSITION"};
inline constexpr RuleId kAlign{"SCALAR-ALIGN"};
inline constexpr RuleId kIndex{"SCALAR-INDEX"};
inline constexpr RuleId kBounds{"SCALAR-BOUNDS"};
}  // namespace scalar

}  // namespace lanediff::isa

#pragma once

#include <string_view>

#include "isa/elementwise.h"

namespace lanediff::isa {

struct MulTag {
  static constexpr std::string_view kOp = "Mul";
  static constexpr std::string_view kSlug = "mul";
  static constexpr std::string_view kRules = "MUL";
};

/// Mul (Ascend C): element-wise product of `src0` and `src1` into `dst`.
using Mul = ElementwiseCall<MulTag>;

/// Its rules.
using mul = ElementwiseRules<MulTag>;

}  // namespace lanediff::isa

#pragma once

#include <string_view>

#include "isa/elementwise.h"

namespace lanediff::isa {

struct MaxTag {
  static constexpr std::string_view kOp = "Max";
  static constexpr std::string_view kSlug = "max";
  static constexpr std::string_view kRules = "MAX";
};

/// Max (Ascend C): element-wise maximum of `src0` and `src1` into `dst`.
using Max = ElementwiseCall<MaxTag>;

/// Its rules.
using max = ElementwiseRules<MaxTag>;

}  // namespace lanediff::isa

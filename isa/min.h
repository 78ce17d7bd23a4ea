#pragma once

#include <string_view>

#include "isa/elementwise.h"

namespace lanediff::isa {

struct MinTag {
  static constexpr std::string_view kOp = "Min";
  static constexpr std::string_view kSlug = "min";
  static constexpr std::string_view kRules = "MIN";
};

/// Min (Ascend C): element-wise minimum of `src0` and `src1` into `dst`.
using Min = ElementwiseCall<MinTag>;

/// Its rules.
using min = ElementwiseRules<MinTag>;

}  // namespace lanediff::isa

#pragma once

#include <string_view>

#include "isa/elementwise.h"

namespace lanediff::isa {

struct SubTag {
  static constexpr std::string_view kOp = "Sub";
  static constexpr std::string_view kSlug = "sub";
  static constexpr std::string_view kRules = "SUB";
};

/// Sub (Ascend C): element-wise difference, `src0` less `src1`, into `dst`.
using Sub = ElementwiseCall<SubTag>;

/// Its rules.
using sub = ElementwiseRules<SubTag>;

}  // namespace lanediff::isa

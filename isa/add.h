#pragma once

#include <string_view>

#include "isa/elementwise.h"

namespace lanediff::isa {

struct AddTag {
  static constexpr std::string_view kOp = "Add";
  static constexpr std::string_view kSlug = "add";
  static constexpr std::string_view kRules = "ADD";
};

/// Add (Ascend C): element-wise sum of `src0` and `src1` into `dst`.
using Add = ElementwiseCall<AddTag>;

/// Its rules.
using add = ElementwiseRules<AddTag>;

}  // namespace lanediff::isa

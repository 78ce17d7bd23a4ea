#pragma once

#include <string_view>

#include "isa/elementwise.h"
#include "isa/step.h"

namespace lanediff::make {

/// A call of Min's family that is still to be chosen: cases of all of them are
/// made alike.
struct AnyTag {
  static constexpr std::string_view kOp = "";
  static constexpr std::string_view kSlug = "";
  static constexpr std::string_view kRules = "";
};
using AnyElementwise = isa::ElementwiseCall<AnyTag>;

/// The same as a call of `To`.
template <isa::Elementwise To, class Tag>
To As(const isa::ElementwiseCall<Tag>& call) {
  return {.dtype = call.dtype,
          .dst = call.dst,
          .src0 = call.src0,
          .src1 = call.src1,
          .form = call.form,
          .count = call.count,
          .mask = call.mask,
          .mask_words = call.mask_words,
          .repeat_times = call.repeat_times,
          .repeat_params = call.repeat_params,
          .is_set_mask = call.is_set_mask};
}

}  // namespace lanediff::make

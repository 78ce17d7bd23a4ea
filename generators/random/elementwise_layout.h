#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "generators/random.h"
#include "generators/random/intent.h"
#include "generators/random/operands.h"
#include "isa/elementwise.h"
#include "isa/step.h"

namespace lanediff::make {

/// A call of Min's family that is still to be chosen: all of them
/// are laid out alike.
struct AnyTag {
  static constexpr std::string_view kOp = "";
  static constexpr std::string_view kSlug = "";
  static constexpr std::string_view kRules = "";
};
using AnyElementwise = isa::ElementwiseCall<AnyTag>;

/// The same as a call of `Call`.
template <isa::Elementwise Call>
Call As(const AnyElementwise& any) {
  return {.dtype = any.dtype,
          .dst = any.dst,
          .src0 = any.src0,
          .src1 = any.src1,
          .form = any.form,
          .count = any.count,
          .mask = any.mask,
          .mask_words = any.mask_words,
          .repeat_times = any.repeat_times,
          .repeat_params = any.repeat_params,
          .is_set_mask = any.is_set_mask};
}

/// A call on its way to its place.
struct ElementwiseDraft {
  AnyElementwise step;
  LaneRange lanes;  ///< not of the count form
  LayoutIntent layout = LayoutIntent::kDisjoint;

  /// From the start to behind the last byte that the operand's lanes touch.
  std::int64_t dst_bytes() const;
  std::int64_t src0_bytes() const;
  std::int64_t src1_bytes() const;
};

/// How the operands lie, with weights.
std::span<const Weighted<LayoutIntent>> ElementwiseLayouts();

/// Places the operands of `call` from byte `start` on, as its layout requires;
/// may change strides, repeats and `count`, and the layout where the form has
/// none such. Returns the first byte behind all windows.
std::int64_t PlaceElementwise(Random& random, std::int64_t start,
                              ElementwiseDraft& call);

}  // namespace lanediff::make

#include "isa/repeat_reduce_sum.h"

#include <fmt/format.h>

#include "view/instructions.h"
#include "view/lanes.h"

namespace lanediff::view {

bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts) {
  namespace rrs = isa::rrs;
  if (rule == rrs::kDstBlkStride) return call.dst_blk_stride != 0;
  if (rule == rrs::kInOrder) return facts.iterations() > 1;
  if (rule == rrs::kSaturate) {
    return call.dtype == isa::DType::kHalf && facts.before.saturation() &&
           !facts.nodes.empty();
  }
  return !facts.accesses.empty();
}

Portrait PortraitOf(const isa::RepeatReduceSum& call, const StepFacts& facts) {
  return {
      .masked_operand = "src",
      .dtype = call.dtype,
      .mask_origin = call.is_set_mask
                         ? fmt::format("mask from the call, the first {} lanes",
                                       call.elems_in_one_repeat)
                         : RegisterOrigin(facts),
      .lanes = {{"src", call.src.at, call.src_blk_stride, call.src_rep_stride}},
      .arithmetic = Arithmetic::kTree};
}

}  // namespace lanediff::view

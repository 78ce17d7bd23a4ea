// RepeatReduceSum and WholeReduceSum, which look alike.

#include "isa/repeat_reduce_sum.h"
#include "isa/whole_reduce_sum.h"
#include "reports/trace/instructions.h"
#include "reports/trace/lanes.h"

namespace lanediff::view {
namespace {

bool Saturates(isa::DType dtype, const StepFacts& facts) {
  return dtype == isa::DType::kHalf && facts.before.saturation() &&
         !facts.nodes.empty();
}

template <class Call>
Portrait PortraitOfSum(const Call& call, std::string mask_origin) {
  return {
      .masked_operand = "src",
      .dtype = call.dtype,
      .mask_origin = std::move(mask_origin),
      .lanes = {{"src", call.src.at, call.src_blk_stride, call.src_rep_stride}},
      .arithmetic = Arithmetic::kTree};
}

}  // namespace

bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts) {
  namespace rrs = isa::rrs;
  if (rule == rrs::kDstBlkStride) return call.dst_blk_stride != 0;
  if (rule == rrs::kInOrder) return facts.iterations() > 1;
  if (rule == rrs::kSaturate) return Saturates(call.dtype, facts);
  return !facts.accesses.empty();
}

bool Uses(const isa::WholeReduceSum& call, isa::RuleId rule,
          const StepFacts& facts) {
  namespace wrs = isa::wrs;
  if (rule == wrs::kInOrder) return facts.iterations() > 1;
  if (rule == wrs::kSaturate) return Saturates(call.dtype, facts);
  if (facts.accesses.empty()) return false;
  return rule != wrs::kMaskLanes || call.is_set_mask;
}

Portrait PortraitOf(const isa::RepeatReduceSum& call, const StepFacts& facts) {
  return PortraitOfSum(call, call.is_set_mask
                                 ? OwnMask(call.elems_in_one_repeat)
                                 : RegisterOrigin(facts));
}

Portrait PortraitOf(const isa::WholeReduceSum& call, const StepFacts& facts) {
  return PortraitOfSum(call, MaskOrigin(call, facts));
}

}  // namespace lanediff::view

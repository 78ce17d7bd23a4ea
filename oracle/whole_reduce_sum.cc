#include "isa/whole_reduce_sum.h"

#include <array>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/reduce_sum.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::Product;
using isa::RuleSet;
namespace wrs = isa::wrs;

constexpr std::array kProducts = {
    Product::kAtlasTraining, Product::kAtlasInferenceAicore, Product::kAtlasA2,
    Product::kAtlasA3, Product::kAtlas200i500A2};

constexpr ReduceSumRules kRules{.product = wrs::kProduct,
                                .dtype = wrs::kDtype,
                                .dtype_match = wrs::kDtypeMatch,
                                .position = wrs::kPosition,
                                .dst_align = wrs::kDstAlign,
                                .src_align = wrs::kSrcAlign,
                                .repeat = wrs::kRepeat,
                                .stride_range = wrs::kStrideRange,
                                .dst_rep_stride_zero = wrs::kDstRepStrideZero,
                                .bounds = wrs::kBounds,
                                .overlap_iteration = wrs::kOverlapIteration,
                                .overlap_dependency = wrs::kOverlapDependency,
                                .repeat_zero = wrs::kRepeatZero,
                                .mask_empty = wrs::kMaskEmpty};

ReduceSum ReduceSumOf(const isa::WholeReduceSum& call) {
  return {.rules = kRules,
          .dtype = call.dtype,
          .dst = call.dst,
          .src = call.src,
          .mask = {.bitwise = call.form == isa::WholeReduceSum::kBitwise,
                   .lanes = call.mask,
                   .words = call.mask_words,
                   .is_set_mask = call.is_set_mask},
          .repeat = call.repeat_times,
          .dst_rep_stride = call.dst_rep_stride,
          .src_blk_stride = call.src_blk_stride,
          .src_rep_stride = call.src_rep_stride};
}

RuleSet ParameterRules(const ReduceSum& call, Product product) {
  RuleSet broken = CommonParameterRules(call, kProducts, product);
  broken.AddAll(BrokenMaskRules(call.mask, call.dtype,
                                {.contiguous = wrs::kMaskContiguous,
                                 .bits = wrs::kMaskBits,
                                 .placeholder = wrs::kPlaceholder}));
  return broken;
}

}  // namespace

template <>
isa::StepResult Run(const isa::WholeReduceSum& call, Oracle::State& state) {
  const ReduceSum sum = ReduceSumOf(call);
  const RuleSet broken = ParameterRules(sum, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  return RunReduceSum(sum, state);
}

template <>
RuleSet BrokenAnywhere(const isa::WholeReduceSum& call,
                       const Oracle::State& state) {
  const ReduceSum sum = ReduceSumOf(call);
  RuleSet broken = ParameterRules(sum, state.product);
  broken.AddAll(AccessRulesBrokenAnywhere(sum, state));
  return broken;
}

template <>
Extended RunExtended(const isa::WholeReduceSum& call, Oracle::State& state) {
  return RunReduceSumExtended(ReduceSumOf(call), state);
}

}  // namespace lanediff::oracle

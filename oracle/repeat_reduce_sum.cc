#include "isa/repeat_reduce_sum.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/memory_map.h"
#include "oracle/reduce_sum.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::Product;
using isa::RuleSet;
namespace rrs = isa::rrs;

constexpr std::array kProducts2024 = {
    Product::kAtlasTraining, Product::kAtlasInferenceAicore, Product::kAtlasA2};
/// Of ReduceRepeat, as the pages of 2026 call it.
constexpr std::array kProducts2026 = {
    Product::kAtlasTraining, Product::kAtlasInferenceAicore, Product::kAtlasA2,
    Product::kAtlasA3, Product::kAtlas200i500A2};

std::span<const Product> ProductsOf(isa::Edition edition) {
  if (edition == isa::Edition::k2024) return kProducts2024;
  return kProducts2026;
}

constexpr ReduceSumRules kRules{.product = rrs::kProduct,
                                .dtype = rrs::kDtype,
                                .dtype_match = rrs::kDtypeMatch,
                                .position = rrs::kPosition,
                                .dst_align = rrs::kDstAlign,
                                .src_align = rrs::kSrcAlign,
                                .repeat = rrs::kRepeat,
                                .stride_range = rrs::kStrideRange,
                                .dst_rep_stride_zero = rrs::kDstRepStrideZero,
                                .bounds = rrs::kBounds,
                                .overlap_iteration = rrs::kOverlapIteration,
                                .overlap_dependency = rrs::kOverlapDependency,
                                .repeat_zero = rrs::kRepeatZero,
                                .mask_empty = rrs::kMaskEmpty};

/// RRS-DST-BLK-STRIDE: all that has an effect.
ReduceSum ReduceSumOf(const isa::RepeatReduceSum& call) {
  return {.rules = kRules,
          .dtype = call.dtype,
          .dst = call.dst,
          .src = call.src,
          .mask = {.lanes = call.elems_in_one_repeat,
                   .is_set_mask = call.is_set_mask},
          .repeat = call.repeat,
          .dst_rep_stride = call.dst_rep_stride,
          .src_blk_stride = call.src_blk_stride,
          .src_rep_stride = call.src_rep_stride};
}

/// The ranges are given for 16 and 32 bits; other widths have none to break.
bool ElemsAreInRange(std::int64_t elems, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(elems, 1, 128);
  if (element_bytes == 4) return IsWithin(elems, 1, 64);
  return true;
}

RuleSet ParameterRules(const isa::RepeatReduceSum& call,
                       const Oracle::State& state) {
  using Int32 = std::numeric_limits<std::int32_t>;
  RuleSet broken = CommonParameterRules(
      ReduceSumOf(call), ProductsOf(state.edition), state.product);
  if (call.is_set_mask) {
    broken.AddIf(
        !ElemsAreInRange(call.elems_in_one_repeat, ElementBytes(call.dtype)),
        rrs::kElems);
  } else {  // MASK_PLACEHOLDER is 0
    broken.AddIf(call.elems_in_one_repeat != 0, rrs::kPlaceholder);
  }
  broken.AddIf(!IsWithin(call.dst_blk_stride, Int32::min(), Int32::max()),
               rrs::kStrideRange);
  return broken;
}

}  // namespace

template <>
isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state) {
  const RuleSet broken = ParameterRules(call, state);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  isa::StepResult result = RunReduceSum(ReduceSumOf(call), state);
  if (result.status == isa::StepResult::Status::kExecuted) {
    result.notes.Add(rrs::kPreferWholeReduceSum);
  }
  return result;
}

template <>
RuleSet BrokenAnywhere(const isa::RepeatReduceSum& call,
                       const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state);
  broken.AddAll(AccessRulesBrokenAnywhere(ReduceSumOf(call), state));
  return broken;
}

template <>
Extended RunExtended(const isa::RepeatReduceSum& call, Oracle::State& state) {
  return RunReduceSumExtended(ReduceSumOf(call), state);
}

}  // namespace lanediff::oracle

#include <cstdint>
#include <limits>

#include "emulator/address.h"
#include "emulator/reduce_sum.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::rrs;
using isa::DType;
using isa::Product;
using isa::RepeatReduceSum;
using isa::RuleSet;

// ---- Legality ---------------------------------------------------------------

/// RRS-PRODUCT: the newest pages, which call it ReduceRepeat, list two more.
bool Has(const State& state) {
  switch (state.product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasA2:
      return true;
    case Product::kAtlasA3:
    case Product::kAtlas200i500A2:
      return state.edition == isa::Edition::k2026;
    default:
      return false;
  }
}

RuleSet BrokenParameters(const RepeatReduceSum& c, const State& state) {
  RuleSet broken;
  broken.AddIf(!Has(state), rule::kProduct);
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat,
               rule::kDtype);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(
      !IsVectorPosition(c.dst.position) || !IsVectorPosition(c.src.position),
      rule::kPosition);
  broken.AddIf(c.dst.at % ElementBytes(c.dtype) != 0, rule::kDstAlign);
  broken.AddIf(c.src.at % kBlockBytes != 0, rule::kSrcAlign);
  broken.AddIf(!InRange(c.repeat, 0, 255), rule::kRepeat);
  const std::int64_t element = ElementBytes(c.dtype);
  if (!c.is_set_mask) {
    broken.AddIf(c.elems_in_one_repeat != 0, rule::kPlaceholder);
  } else if (element == 2 || element == 4) {  // the widths that RRS-ELEMS lists
    broken.AddIf(!InRange(c.elems_in_one_repeat, 1, kIterationBytes / element),
                 rule::kElems);
  }
  constexpr std::int64_t kInt32Min = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
  broken.AddIf(!InRange(c.src_blk_stride, 0, 65535) ||
                   !InRange(c.dst_rep_stride, 0, 65535) ||
                   !InRange(c.src_rep_stride, 0, 65535) ||
                   !InRange(c.dst_blk_stride, kInt32Min, kInt32Max),
               rule::kStrideRange);
  broken.AddIf(
      state.product == Product::kAtlasTraining && c.dst_rep_stride == 0,
      rule::kDstRepStrideZero);
  return broken;
}

ReduceSumPlan Plan(const RepeatReduceSum& call, const State& state) {
  LaneMask lanes = call.is_set_mask ? LaneMask::First(call.elems_in_one_repeat)
                                    : state.mask_register;
  if (call.dtype != DType::kHalf) lanes.high = 0;
  return PlanReduceSum(call.dtype, call.dst, call.src, call.repeat, lanes,
                       {.dst_rep_elements = call.dst_rep_stride,
                        .src_blk_blocks = call.src_blk_stride,
                        .src_rep_blocks = call.src_rep_stride},
                       state.saturation);
}

RuleSet Legality(const RepeatReduceSum& call, const State& state) {
  const RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;
  return BrokenPlaces(Plan(call, state), call.dst, call.src,
                      BytesOf(state, isa::Memory::kUb),
                      {.bounds = rule::kBounds,
                       .overlap_iteration = rule::kOverlapIteration,
                       .overlap_dependency = rule::kOverlapDependency});
}

}  // namespace

constinit const RepeatReduceSumSeams kRepeatReduceSum = {
    .legality = Legality,
    .plan = Plan,
    .half_kernel = TreeSumOfHalves,
    .float_kernel = TreeSumOfFloats,
    .write_back = WriteSum};

isa::StepResult Run(const RepeatReduceSum& call,
                    const RepeatReduceSumSeams& seams, State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const ReduceSumPlan plan = RunReduceSum(call, seams, state);
  if (call.is_set_mask) {
    state.mask_register = LaneMask::First(call.elems_in_one_repeat);
  }
  result.notes.Add(rule::kPreferWholeReduceSum);
  result.notes.AddIf(call.repeat == 0, rule::kRepeatZero);
  result.notes.AddIf(!call.is_set_mask && plan.lanes.empty(), rule::kMaskEmpty);
  return result;
}

}  // namespace lanediff::emulator

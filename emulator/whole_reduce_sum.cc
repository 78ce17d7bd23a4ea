#include <cstdint>

#include "emulator/address.h"
#include "emulator/mask.h"
#include "emulator/reduce_sum.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::wrs;
using isa::DType;
using isa::Product;
using isa::RuleSet;
using isa::WholeReduceSum;

// ---- Legality ---------------------------------------------------------------

bool Has(Product product) {
  return product == Product::kAtlasTraining ||
         product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
         product == Product::kAtlas200i500A2;
}

RuleSet BrokenParameters(const WholeReduceSum& c, const State& state) {
  RuleSet broken;
  broken.AddIf(!Has(state.product), rule::kProduct);
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat,
               rule::kDtype);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(
      !IsVectorPosition(c.dst.position) || !IsVectorPosition(c.src.position),
      rule::kPosition);
  broken.AddIf(c.dst.at % ElementBytes(c.dtype) != 0, rule::kDstAlign);
  broken.AddIf(c.src.at % kBlockBytes != 0, rule::kSrcAlign);
  broken.AddIf(!InRange(c.repeat_times, 0, 255), rule::kRepeat);
  broken.AddIf(!InRange(c.dst_rep_stride, 0, 65535) ||
                   !InRange(c.src_blk_stride, 0, 65535) ||
                   !InRange(c.src_rep_stride, 0, 65535),
               rule::kStrideRange);
  broken.AddIf(
      state.product == Product::kAtlasTraining && c.dst_rep_stride == 0,
      rule::kDstRepStrideZero);
  AddBrokenMask(c,
                {.contiguous = rule::kMaskContiguous,
                 .bits = rule::kMaskBits,
                 .placeholder = rule::kPlaceholder},
                broken);
  return broken;
}

ReduceSumPlan Plan(const WholeReduceSum& call, const State& state) {
  return PlanReduceSum(call.dtype, call.dst, call.src, call.repeat_times,
                       LanesOf(call, state),
                       {.dst_rep_elements = call.dst_rep_stride,
                        .src_blk_blocks = call.src_blk_stride,
                        .src_rep_blocks = call.src_rep_stride},
                       state.saturation);
}

RuleSet Legality(const WholeReduceSum& call, const State& state) {
  const RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;
  return BrokenPlaces(Plan(call, state), call.dst, call.src,
                      BytesOf(state, isa::Memory::kUb),
                      {.bounds = rule::kBounds,
                       .overlap_iteration = rule::kOverlapIteration,
                       .overlap_dependency = rule::kOverlapDependency});
}

}  // namespace

constinit const WholeReduceSumSeams kWholeReduceSum = {
    .legality = Legality,
    .plan = Plan,
    .half_kernel = TreeSumOfHalves,
    .float_kernel = TreeSumOfFloats,
    .write_back = WriteSum};

isa::StepResult Run(const WholeReduceSum& call,
                    const WholeReduceSumSeams& seams, State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const ReduceSumPlan plan = RunReduceSum(call, seams, state);
  // Without isSetMask this leaves the register as it is.
  state.mask_register = MaskOf(call, state);
  result.notes.AddIf(call.repeat_times == 0, rule::kRepeatZero);
  result.notes.AddIf(!call.is_set_mask && plan.lanes.empty(), rule::kMaskEmpty);
  return result;
}

}  // namespace lanediff::emulator

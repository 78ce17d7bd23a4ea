#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/address.h"
#include "emulator/elementwise.h"
#include "emulator/mask.h"
#include "emulator/state.h"
#include "isa/elementwise.h"
#include "isa/rule.h"
#include "isa/step.h"

namespace lanediff::emulator {

inline VectorOperand OperandOf(std::int64_t at, std::int64_t blk_stride_blocks,
                               std::int64_t rep_stride_blocks) {
  return {.at = at,
          .block_stride = blk_stride_blocks * kBlockBytes,
          .repeat_stride = rep_stride_blocks * kBlockBytes};
}

/// Iterations of 256 bytes without gaps, the last one perhaps not full.
template <isa::Elementwise Call>
void LayOutCount(const Call& call, ElementwisePlan& plan) {
  const std::int64_t lanes = kIterationBytes / ElementBytes(call.dtype);
  plan.iterations = (call.count + lanes - 1) / lanes;
  plan.lanes = LaneMask::First(lanes);
  if (plan.iterations > 0) {
    plan.last_lanes =
        LaneMask::First(call.count - (plan.iterations - 1) * lanes);
  }
  plan.dst = OperandOf(call.dst.at, 1, kBlocksPerIteration);
  plan.src0 = OperandOf(call.src0.at, 1, kBlocksPerIteration);
  plan.src1 = OperandOf(call.src1.at, 1, kBlocksPerIteration);
}

template <isa::Elementwise Call>
void LayOutRepeats(const Call& call, const State& state,
                   ElementwisePlan& plan) {
  const LaneMask lanes = LanesOf(call, state);
  const isa::BinaryRepeatParams& p = call.repeat_params;
  plan.iterations = lanes.empty() ? 0 : call.repeat_times;
  plan.lanes = lanes;
  plan.last_lanes = lanes;
  plan.dst = OperandOf(call.dst.at, p.dst_blk_stride, p.dst_rep_stride);
  plan.src0 = OperandOf(call.src0.at, p.src0_blk_stride, p.src0_rep_stride);
  plan.src1 = OperandOf(call.src1.at, p.src1_blk_stride, p.src1_rep_stride);
}

/// The plain address plan.
template <isa::Elementwise Call>
ElementwisePlan PlanElementwise(const Call& call, const State& state) {
  ElementwisePlan plan;
  plan.dtype = call.dtype;
  plan.saturation = state.saturation;
  if (call.form == Call::kCount) {
    LayOutCount(call, plan);
  } else {
    LayOutRepeats(call, state, plan);
  }
  return plan;
}

/// Bytes from the first to the last one that a call touches of an operand of
/// `plan`, which passed stage 1.
Extent ExtentOf(const ElementwisePlan& plan, const VectorOperand& operand);

/// The extents of a call's operands.
struct ElementwiseExtents {
  Extent dst;
  Extent src0;
  Extent src1;
};

/// Which of the overlap rules of the mask forms a call breaks.
struct ElementwiseOverlaps {
  bool iteration = false;
  bool dependency = false;
  bool sources = false;
};

/// Stage 3 of the mask forms, in closed form.
ElementwiseOverlaps OverlapsOf(const ElementwisePlan& plan,
                               const ElementwiseExtents& extents);

/// The first edition of the documents that lists atlas-a3 for the call.
template <isa::Elementwise Call>
inline constexpr auto kOnAtlasA3Since = isa::Edition::k2024;
template <>
inline constexpr auto kOnAtlasA3Since<isa::Min> = isa::Edition::k2026;

// ---- Stage 1 ----------------------------------------------------------------

// Each adds to one set: a set of its own would cost more than the questions.

/// *-PRODUCT and *-DTYPE, which depends on the product.
template <class Tag>
void AddBrokenByProduct(const isa::ElementwiseCall<Tag>& c, const State& state,
                        isa::RuleSet& broken) {
  using rule = isa::ElementwiseRules<Tag>;
  using isa::DType;
  using isa::Product;
  const Product product = state.product;
  const bool on_a3 =
      state.edition >= kOnAtlasA3Since<isa::ElementwiseCall<Tag>>;
  if (product != Product::kAtlasTraining &&
      product != Product::kAtlasInferenceAicore &&
      product != Product::kAtlasA2 && product != Product::kAtlas200i500A2 &&
      !(on_a3 && product == Product::kAtlasA3)) {
    broken.Add(rule::kProduct);
    return;
  }
  const bool int16 =
      c.dtype == DType::kInt16 && product != Product::kAtlasTraining;
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat &&
                   c.dtype != DType::kInt32 && !int16,
               rule::kDtype);
}

template <class Tag>
void AddBrokenRepeats(const isa::ElementwiseCall<Tag>& c,
                      isa::RuleSet& broken) {
  using rule = isa::ElementwiseRules<Tag>;
  const isa::BinaryRepeatParams& p = c.repeat_params;
  broken.AddIf(!InRange(c.repeat_times, 0, 255), rule::kRepeat);
  const auto in_range = [](std::int64_t v) { return InRange(v, 0, 255); };
  broken.AddIf(!in_range(p.dst_blk_stride) || !in_range(p.src0_blk_stride) ||
                   !in_range(p.src1_blk_stride) ||
                   !in_range(p.dst_rep_stride) ||
                   !in_range(p.src0_rep_stride) || !in_range(p.src1_rep_stride),
               rule::kStrideRange);
  broken.AddIf(p.dst_blk_stride == 0, rule::kDstBlkStrideZero);
  AddBrokenMask(c,
                {.contiguous = rule::kMaskContiguous,
                 .bits = rule::kMaskBits,
                 .placeholder = rule::kPlaceholder},
                broken);
}

template <class Tag>
void AddBrokenParameters(const isa::ElementwiseCall<Tag>& c, const State& state,
                         isa::RuleSet& broken) {
  using rule = isa::ElementwiseRules<Tag>;
  AddBrokenByProduct(c, state, broken);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src0, c.dtype) ||
                   !TypeIs(c.src1, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(!IsVectorPosition(c.dst.position) ||
                   !IsVectorPosition(c.src0.position) ||
                   !IsVectorPosition(c.src1.position),
               rule::kPosition);
  broken.AddIf(c.dst.at % kBlockBytes != 0 || c.src0.at % kBlockBytes != 0 ||
                   c.src1.at % kBlockBytes != 0,
               rule::kAlign);
  if (c.form == c.kCount) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    broken.AddIf(!InRange(c.count, 0, kInt32Max), rule::kCount);
  } else {
    AddBrokenRepeats(c, broken);
  }
}

// ---- All three --------------------------------------------------------------

/// The reject rules that the call breaks, in closed form.
template <class Tag>
isa::RuleSet ElementwiseLegality(const isa::ElementwiseCall<Tag>& call,
                                 const State& state) {
  using rule = isa::ElementwiseRules<Tag>;
  isa::RuleSet broken;
  AddBrokenParameters(call, state, broken);
  if (!broken.empty()) return broken;

  const ElementwisePlan plan = PlanElementwise(call, state);
  const ElementwiseExtents touched = {.dst = ExtentOf(plan, plan.dst),
                                      .src0 = ExtentOf(plan, plan.src0),
                                      .src1 = ExtentOf(plan, plan.src1)};
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(OutOfBounds(call.dst, touched.dst, ub) ||
                   OutOfBounds(call.src0, touched.src0, ub) ||
                   OutOfBounds(call.src1, touched.src1, ub),
               rule::kBounds);
  if (!broken.empty()) return broken;

  if (call.form == call.kCount) {
    const auto differ = [&](const Extent& src) {
      return touched.dst.Meets(src) && touched.dst.begin != src.begin;
    };
    broken.AddIf(differ(touched.src0) || differ(touched.src1),
                 rule::kOverlapCount);
    return broken;
  }
  const ElementwiseOverlaps overlaps = OverlapsOf(plan, touched);
  broken.AddIf(overlaps.iteration, rule::kOverlapIteration);
  broken.AddIf(overlaps.dependency, rule::kOverlapDependency);
  broken.AddIf(overlaps.sources, rule::kOverlapSources);
  return broken;
}

}  // namespace lanediff::emulator

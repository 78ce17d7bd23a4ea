#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "isa/elementwise.h"
#include "isa/memories.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_operation.h"
#include "oracle/extended.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"
#include "oracle/vector_rules.h"

/// What the element-wise calls read and write, and their rules, stage by stage.
/// They are the same for all, but for their names and the products.
namespace lanediff::oracle {

// ---- What a call reads and writes -------------------------------------------

/// The mask with which a call runs; of the count form none is used.
template <class Tag>
std::optional<LaneMask> MaskOf(const isa::ElementwiseCall<Tag>& call,
                               const LaneMask& mask_register) {
  if (call.form == call.kCount) return LaneMask();
  return MaskOf(MaskArgumentOf(call), call.dtype, mask_register);
}

/// *-ADDRESS, *-MASK-LANES. The count form is one iteration of as many lanes as
/// there are elements, contiguous.
struct ElementwiseListing {
  template <class Tag>
  ElementwiseListing(const isa::ElementwiseCall<Tag>& call,
                     const LaneMask& mask)
      : element_bytes(ElementBytes(call.dtype)) {
    if (call.form == call.kCount) {
      const std::int64_t count = std::min(call.count, kFar);
      iterations = count > 0 ? 1 : 0;
      dst = ListContiguous(call.dst.at, element_bytes, count, 0);
      src0 = ListContiguous(call.src0.at, element_bytes, count, 0);
      src1 = ListContiguous(call.src1.at, element_bytes, count, 0);
      return;
    }
    lanes = LanesOf(mask, call.dtype);
    iterations = lanes.empty() ? 0 : NotTooMany(call.repeat_times);
    const isa::BinaryRepeatParams& p = call.repeat_params;
    dst = List(call.dst.at, p.dst_blk_stride, p.dst_rep_stride);
    src0 = List(call.src0.at, p.src0_blk_stride, p.src0_rep_stride);
    src1 = List(call.src1.at, p.src1_blk_stride, p.src1_rep_stride);
  }

  std::int64_t element_bytes;
  std::int64_t iterations = 0;
  std::vector<std::int64_t> lanes;  ///< of the masked forms, ascending
  LaneList dst, src0, src1;

 private:
  LaneList List(std::int64_t at, std::int64_t blk_stride,
                std::int64_t rep_stride) const {
    return ListLanes({.at = at,
                      .element_bytes = element_bytes,
                      .blk_stride = Near(blk_stride),
                      .rep_stride = Near(rep_stride)},
                     lanes);
  }
};

/// The memories of the operands; nothing where there is none. As an operand's
/// home, the one that holds all its lanes.
struct ElementwiseMemories {
  std::optional<isa::Memory> dst, src0, src1;
};

/// The memories behind the positions of a call's operands.
template <class Tag>
ElementwiseMemories MemoriesOf(const isa::ElementwiseCall<Tag>& call,
                               isa::Product product) {
  return {.dst = MemoryOf(product, call.dst.position),
          .src0 = MemoryOf(product, call.src0.position),
          .src1 = MemoryOf(product, call.src1.position)};
}

// ---- Stage 1 ---------------------------------------------------------------

bool HasProduct(const Operation& operation, const Oracle::State& state);
/// *-DTYPE.
bool TypeIsSupported(isa::DType type, isa::Product product);
/// *-STRIDE-RANGE.
bool StridesAreInRange(const isa::BinaryRepeatParams& params);

template <class Tag>
isa::RuleSet ParameterRules(const isa::ElementwiseCall<Tag>& call,
                            const Oracle::State& state) {
  using rule = isa::ElementwiseRules<Tag>;
  isa::RuleSet broken;
  if (HasProduct(OperationOf<Tag>(), state)) {
    broken.AddIf(!TypeIsSupported(call.dtype, state.product), rule::kDtype);
  } else {
    broken.Add(rule::kProduct);
  }
  for (const isa::Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    broken.AddIf(operand->dtype.value_or(call.dtype) != call.dtype,
                 rule::kDtypeMatch);
    broken.AddIf(!IsAtVectorPosition(*operand), rule::kPosition);
    broken.AddIf(operand->at % 32 != 0, rule::kAlign);
  }
  if (call.form == call.kCount) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    broken.AddIf(!IsWithin(call.count, 0, kInt32Max), rule::kCount);
    return broken;
  }
  broken.AddIf(!IsWithin(call.repeat_times, 0, 255), rule::kRepeat);
  broken.AddIf(!StridesAreInRange(call.repeat_params), rule::kStrideRange);
  broken.AddIf(call.repeat_params.dst_blk_stride == 0, rule::kDstBlkStrideZero);
  broken.AddAll(BrokenMaskRules(MaskArgumentOf(call), call.dtype,
                                {.contiguous = rule::kMaskContiguous,
                                 .bits = rule::kMaskBits,
                                 .placeholder = rule::kPlaceholder}));
  return broken;
}

// ---- Stage 2, after a clean stage 1: *-BOUNDS -------------------------------

template <class Tag>
bool IsOutOfBounds(const isa::ElementwiseCall<Tag>& call,
                   const ElementwiseListing& listing,
                   const isa::Memories& memories) {
  for (const isa::Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    if (!WindowIsInMemory(*operand, isa::Memory::kUb, memories)) return true;
  }
  return !LanesAreInWindow(call.dst, listing.dst, listing.iterations) ||
         !LanesAreInWindow(call.src0, listing.src0, listing.iterations) ||
         !LanesAreInWindow(call.src1, listing.src1, listing.iterations);
}

// ---- Stage 3: *-OVERLAP-*, between operands that have the same home ---------

// Of one source, which is in dst's memory: `src` is src0 or src1 of `listing`.

/// In some iteration it shares a byte with dst and does not coincide with it
/// lane by lane.
bool OverlapsWithinIteration(const ElementwiseListing& listing,
                             const LaneList& src);
/// Some iteration reads from it what an earlier one wrote to dst.
bool DependsOnEarlierIteration(const ElementwiseListing& listing,
                               const LaneList& src);
/// Its elements share a byte with dst's, and do not start where dst's start.
bool OverlapsInCountForm(const ElementwiseListing& listing,
                         const LaneList& src);

template <class Tag>
isa::RuleSet OverlapRules(const isa::ElementwiseCall<Tag>& call,
                          const ElementwiseListing& listing,
                          const ElementwiseMemories& homes) {
  using rule = isa::ElementwiseRules<Tag>;
  using isa::DType;
  isa::RuleSet broken;
  if (listing.iterations <= 0) return broken;
  const bool meets_src0 = homes.dst && homes.dst == homes.src0;
  const bool meets_src1 = homes.dst && homes.dst == homes.src1;
  if (call.form == call.kCount) {
    broken.AddIf((meets_src0 && OverlapsInCountForm(listing, listing.src0)) ||
                     (meets_src1 && OverlapsInCountForm(listing, listing.src1)),
                 rule::kOverlapCount);
    return broken;
  }
  broken.AddIf(
      (meets_src0 && OverlapsWithinIteration(listing, listing.src0)) ||
          (meets_src1 && OverlapsWithinIteration(listing, listing.src1)),
      rule::kOverlapIteration);
  const bool src0_depends =
      meets_src0 && DependsOnEarlierIteration(listing, listing.src0);
  const bool src1_depends =
      meets_src1 && DependsOnEarlierIteration(listing, listing.src1);
  const bool type_may = call.dtype == DType::kHalf ||
                        call.dtype == DType::kInt32 ||
                        call.dtype == DType::kFloat;
  const bool exception = type_may && (call.repeat_params.src1_rep_stride == 0 ||
                                      call.repeat_params.dst_rep_stride == 0);
  broken.AddIf(src0_depends || (src1_depends && !exception),
               rule::kOverlapDependency);
  broken.AddIf(src1_depends && exception && homes.src0 == homes.src1 &&
                   ShareBytes(listing.src0, listing.iterations, listing.src1,
                              listing.iterations),
               rule::kOverlapSources);
  return broken;
}

// ---- Each rule by itself ----------------------------------------------------

template <class Tag>
isa::RuleSet BrokenAnywhere(const isa::ElementwiseCall<Tag>& call,
                            const Oracle::State& state) {
  using rule = isa::ElementwiseRules<Tag>;
  isa::RuleSet broken = ParameterRules(call, state);
  broken.AddIf(!TypeIsSupported(call.dtype, state.product), rule::kDtype);
  const isa::Memories& memories = state.memories;
  const auto [dst, src0, src1] = MemoriesOf(call, state.product);
  broken.AddIf(BreaksBounds(call.dst, dst, memories) ||
                   BreaksBounds(call.src0, src0, memories) ||
                   BreaksBounds(call.src1, src1, memories),
               rule::kBounds);
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return broken;  // which lanes take part is unknown
  const ElementwiseListing listing(call, *mask);
  const std::int64_t times = listing.iterations;
  const LanesOfOperand written{kDst, dst, listing.dst};
  const LanesOfOperand left{kSrc0, src0, listing.src0};
  const LanesOfOperand right{kSrc1, src1, listing.src1};
  broken.AddIf(BreaksBounds(call.dst, written, times, memories) ||
                   BreaksBounds(call.src0, left, times, memories) ||
                   BreaksBounds(call.src1, right, times, memories),
               rule::kBounds);
  if (!IsTooMuch(times, {written, left, right})) {
    broken.AddAll(OverlapRules(call, listing,
                               {.dst = HomeOf(written, times, memories),
                                .src0 = HomeOf(left, times, memories),
                                .src1 = HomeOf(right, times, memories)}));
  }
  return broken;
}

}  // namespace lanediff::oracle

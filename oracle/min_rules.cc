#include "oracle/min_rules.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/memory_map.h"
#include "oracle/min.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Min;
using isa::Operand;
using isa::Position;
using isa::Product;
using isa::RuleSet;
// The namespace `min` holds the rules; `Min` is the call.
namespace rule = isa::min;

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

// ---- Stage 1 ---------------------------------------------------------------

bool ProductIsSupported(Product product) {
  return product == Product::kAtlasTraining ||
         product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlas200i500A2;
}

bool TypeIsSupported(DType type, Product product) {
  if (type == DType::kInt16) return product != Product::kAtlasTraining;
  return type == DType::kHalf || type == DType::kFloat || type == DType::kInt32;
}

bool PositionIsAllowed(const Operand& operand) {
  return operand.position == Position::kVecin ||
         operand.position == Position::kVeccalc ||
         operand.position == Position::kVecout;
}

/// MIN-MASK-CONTIGUOUS; no range is given for 8 bits.
bool MaskIsInRange(std::int64_t mask, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(mask, 1, 128);
  if (element_bytes == 4) return IsWithin(mask, 1, 64);
  if (element_bytes == 8) return IsWithin(mask, 1, 32);
  return true;
}

/// MIN-MASK-BITS; nothing is said of 8 bits.
bool MaskWordsAreInRange(const std::array<std::uint64_t, 2>& mask,
                         std::int64_t element_bytes) {
  if (element_bytes == 2) return mask[0] != 0 || mask[1] != 0;
  if (element_bytes == 4) return mask[1] == 0 && mask[0] != 0;
  if (element_bytes == 8) {
    return mask[1] == 0 && mask[0] != 0 && mask[0] <= 0xffffffff;
  }
  return true;
}

bool StridesAreInRange(const isa::BinaryRepeatParams& p) {
  return IsWithin(p.dst_blk_stride, 0, 255) &&
         IsWithin(p.src0_blk_stride, 0, 255) &&
         IsWithin(p.src1_blk_stride, 0, 255) &&
         IsWithin(p.dst_rep_stride, 0, 255) &&
         IsWithin(p.src0_rep_stride, 0, 255) &&
         IsWithin(p.src1_rep_stride, 0, 255);
}

void AddMaskRules(const Min& call, RuleSet& broken) {
  const std::int64_t element_bytes = ElementBytes(call.dtype);
  const bool bitwise = call.form == Min::kBitwise;
  if (!call.is_set_mask) {  // MASK_PLACEHOLDER is 0, or two words 0
    broken.AddIf(bitwise ? call.mask_words[0] != 0 || call.mask_words[1] != 0
                         : call.mask != 0,
                 rule::kPlaceholder);
  } else if (bitwise) {
    broken.AddIf(!MaskWordsAreInRange(call.mask_words, element_bytes),
                 rule::kMaskBits);
  } else {
    broken.AddIf(!MaskIsInRange(call.mask, element_bytes),
                 rule::kMaskContiguous);
  }
}

}  // namespace

RuleSet ParameterRules(const Min& call, Product product) {
  RuleSet broken;
  broken.AddIf(!ProductIsSupported(product), rule::kProduct);
  if (ProductIsSupported(product)) {
    broken.AddIf(!TypeIsSupported(call.dtype, product), rule::kDtype);
  }
  for (const Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    broken.AddIf(operand->dtype.value_or(call.dtype) != call.dtype,
                 rule::kDtypeMatch);
    broken.AddIf(!PositionIsAllowed(*operand), rule::kPosition);
    broken.AddIf(operand->at % 32 != 0, rule::kAlign);
  }
  if (call.form == Min::kCount) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    broken.AddIf(!IsWithin(call.count, 0, kInt32Max), rule::kCount);
    return broken;
  }
  broken.AddIf(!IsWithin(call.repeat_times, 0, 255), rule::kRepeat);
  broken.AddIf(!StridesAreInRange(call.repeat_params), rule::kStrideRange);
  broken.AddIf(call.repeat_params.dst_blk_stride == 0, rule::kDstBlkStrideZero);
  AddMaskRules(call, broken);
  return broken;
}

// ---- Stage 2: MIN-BOUNDS ---------------------------------------------------

bool IsOutOfBounds(const Min& call, const MinListing& listing,
                   const isa::Memories& memories) {
  for (const Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    if (!WindowIsInMemory(*operand, isa::Memory::kUb, memories)) return true;
  }
  return !LanesAreInWindow(call.dst, listing.dst, listing.iterations) ||
         !LanesAreInWindow(call.src0, listing.src0, listing.iterations) ||
         !LanesAreInWindow(call.src1, listing.src1, listing.iterations);
}

// ---- Stage 3: overlap ------------------------------------------------------

namespace {

/// Marks, none set, for all bytes that the lanes of `list` touch.
ByteMarks MarksFor(const LaneList& list, std::int64_t iterations) {
  const ByteSpan span = SpanOf(list, iterations);
  return {span.first, span.end};
}

/// MIN-OVERLAP-ITERATION for one source: in some iteration it shares a byte
/// with dst and does not coincide with it lane by lane.
bool OverlapsWithinIteration(const MinListing& listing, const LaneList& src) {
  const LaneList& dst = listing.dst;
  ByteMarks written = MarksFor(dst, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (Coincide(dst, src, r)) continue;
    MarkLanes(written, dst, r);
    if (AnyLane(written, src, r)) return true;
    ClearLanes(written, dst, r);
  }
  return false;
}

/// Whether some iteration reads from `src` what an earlier one wrote to dst.
bool DependsOnEarlierIteration(const MinListing& listing, const LaneList& src) {
  ByteMarks written = MarksFor(listing.dst, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(written, src, r)) return true;
    MarkLanes(written, listing.dst, r);
  }
  return false;
}

/// MIN-OVERLAP-COUNT for one source: its elements share a byte with dst's, and
/// do not start where dst's start.
bool OverlapsInCountForm(const MinListing& listing, const LaneList& src) {
  return listing.dst.at != src.at &&
         ShareBytes(listing.dst, listing.iterations, src, listing.iterations);
}

}  // namespace

RuleSet OverlapRules(const Min& call, const MinListing& listing,
                     const MinHomes& homes) {
  RuleSet broken;
  if (listing.iterations <= 0) return broken;
  const bool meets_src0 = homes.dst && homes.dst == homes.src0;
  const bool meets_src1 = homes.dst && homes.dst == homes.src1;
  if (call.form == Min::kCount) {
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

RuleSet BrokenAnywhere(const Min& call, const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  broken.AddIf(!TypeIsSupported(call.dtype, state.product), rule::kDtype);
  const isa::Memories& memories = state.memories;
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src0 = MemoryOf(state.product, call.src0.position);
  const auto src1 = MemoryOf(state.product, call.src1.position);
  broken.AddIf(BreaksBounds(call.dst, dst, memories) ||
                   BreaksBounds(call.src0, src0, memories) ||
                   BreaksBounds(call.src1, src1, memories),
               rule::kBounds);
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return broken;  // which lanes take part is unknown
  const MinListing listing(call, *mask);
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

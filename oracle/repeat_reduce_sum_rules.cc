#include "oracle/repeat_reduce_sum_rules.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/memory_map.h"
#include "oracle/repeat_reduce_sum.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Operand;
using isa::Position;
using isa::Product;
using isa::RuleSet;
namespace rrs = isa::rrs;

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

// ---- Stage 1 ---------------------------------------------------------------

bool ProductIsSupported(Product product) {
  return product == Product::kAtlasTraining ||
         product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2;
}

bool PositionIsAllowed(const Operand& operand) {
  return operand.position == Position::kVecin ||
         operand.position == Position::kVeccalc ||
         operand.position == Position::kVecout;
}

/// The ranges are given for 16 and 32 bits; other widths have none to break.
bool ElemsAreInRange(std::int64_t elems, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(elems, 1, 128);
  if (element_bytes == 4) return IsWithin(elems, 1, 64);
  return true;
}

bool StridesAreInRange(const isa::RepeatReduceSum& call) {
  using Int32 = std::numeric_limits<std::int32_t>;
  return IsWithin(call.src_blk_stride, 0, 65535) &&
         IsWithin(call.dst_rep_stride, 0, 65535) &&
         IsWithin(call.src_rep_stride, 0, 65535) &&
         IsWithin(call.dst_blk_stride, Int32::min(), Int32::max());
}

}  // namespace

RuleSet ParameterRules(const isa::RepeatReduceSum& call, Product product) {
  const std::int64_t element_bytes = ElementBytes(call.dtype);
  RuleSet broken;
  broken.AddIf(!ProductIsSupported(product), rrs::kProduct);
  broken.AddIf(call.dtype != DType::kHalf && call.dtype != DType::kFloat,
               rrs::kDtype);
  broken.AddIf(call.dst.dtype.value_or(call.dtype) != call.dtype ||
                   call.src.dtype.value_or(call.dtype) != call.dtype,
               rrs::kDtypeMatch);
  broken.AddIf(!PositionIsAllowed(call.dst) || !PositionIsAllowed(call.src),
               rrs::kPosition);
  broken.AddIf(call.dst.at % element_bytes != 0, rrs::kDstAlign);
  broken.AddIf(call.src.at % 32 != 0, rrs::kSrcAlign);
  broken.AddIf(!IsWithin(call.repeat, 0, 255), rrs::kRepeat);
  if (call.is_set_mask) {
    broken.AddIf(!ElemsAreInRange(call.elems_in_one_repeat, element_bytes),
                 rrs::kElems);
  } else {  // MASK_PLACEHOLDER is 0
    broken.AddIf(call.elems_in_one_repeat != 0, rrs::kPlaceholder);
  }
  broken.AddIf(!StridesAreInRange(call), rrs::kStrideRange);
  broken.AddIf(product == Product::kAtlasTraining && call.dst_rep_stride == 0,
               rrs::kDstRepStrideZero);
  return broken;
}

// ---- What a call reads and writes -------------------------------------------

std::optional<LaneMask> MaskOf(const isa::RepeatReduceSum& call,
                               const LaneMask& mask_register) {
  if (ElementBytes(call.dtype) < 2) return std::nullopt;
  if (!call.is_set_mask) return mask_register;
  const std::int64_t lanes = kIterationBytes / ElementBytes(call.dtype);
  if (!IsWithin(call.elems_in_one_repeat, 0, lanes)) return std::nullopt;
  return MaskOfFirst(call.elems_in_one_repeat);
}

SumListing::SumListing(const isa::RepeatReduceSum& call, const LaneMask& mask)
    : element_bytes(ElementBytes(call.dtype)),
      lanes(LanesOf(mask, call.dtype)),
      iterations(lanes.empty() ? 0 : NotTooMany(call.repeat)),
      read(ListLanes({.at = call.src.at,
                      .element_bytes = element_bytes,
                      .blk_stride = Near(call.src_blk_stride),
                      .rep_stride = Near(call.src_rep_stride)},
                     lanes)),
      written(
          ListContiguous(call.dst.at, element_bytes, 1,
                         Address{Near(call.dst_rep_stride)} * element_bytes)) {}

// ---- Stage 2: RRS-BOUNDS ---------------------------------------------------

bool IsOutOfBounds(const isa::RepeatReduceSum& call, const SumListing& listing,
                   isa::Memory dst, isa::Memory src,
                   const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, dst, memories)) return true;
  if (!WindowIsInMemory(call.src, src, memories)) return true;
  return !LanesAreInWindow(call.src, listing.read, listing.iterations) ||
         !LanesAreInWindow(call.dst, listing.written, listing.iterations);
}

// ---- Stage 3: overlap within the same memory -------------------------------

/// RRS-OVERLAP-ITERATION: some iteration's element shares a byte with the lanes
/// read and does not start where the lowest participating lane starts.
bool OverlapsWithinIteration(const SumListing& listing) {
  if (listing.iterations <= 0) return false;
  const LaneList& read = listing.read;
  const ByteSpan span = SpanOf(listing.written, listing.iterations);
  ByteMarks element(span.first, span.end);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    const Address lowest = read.AddressOf(r, read.runs.front());
    const bool complete = listing.written.StartOf(r) == lowest;
    if (complete) continue;
    MarkLanes(element, listing.written, r);
    if (AnyLane(element, read, r)) return true;
    ClearLanes(element, listing.written, r);
  }
  return false;
}

/// RRS-OVERLAP-DEPENDENCY: some iteration reads a byte that an earlier one
/// wrote.
bool DependsOnEarlierIteration(const SumListing& listing) {
  if (listing.iterations <= 0) return false;
  const ByteSpan span = SpanOf(listing.written, listing.iterations);
  ByteMarks written(span.first, span.end);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(written, listing.read, r)) return true;
    MarkLanes(written, listing.written, r);
  }
  return false;
}

// ---- Each rule by itself ----------------------------------------------------

RuleSet BrokenAnywhere(const isa::RepeatReduceSum& call,
                       const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  broken.AddIf(BreaksBounds(call.dst, dst, state.memories) ||
                   BreaksBounds(call.src, src, state.memories),
               rrs::kBounds);
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return broken;  // which lanes take part is unknown
  const SumListing listing(call, *mask);
  const LanesOfOperand written{kDst, dst, listing.written};
  const LanesOfOperand read{kSrc, src, listing.read};
  const std::int64_t iterations = listing.iterations;
  broken.AddIf(BreaksBounds(call.dst, written, iterations, state.memories) ||
                   BreaksBounds(call.src, read, iterations, state.memories),
               rrs::kBounds);
  if (dst == src && CanRun({written, read}, iterations, state.memories)) {
    broken.AddIf(OverlapsWithinIteration(listing), rrs::kOverlapIteration);
    broken.AddIf(DependsOnEarlierIteration(listing), rrs::kOverlapDependency);
  }
  return broken;
}

}  // namespace lanediff::oracle

#include <algorithm>
#include <cstdint>
#include <span>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/memory_map.h"
#include "oracle/reduce_sum.h"
#include "oracle/state.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {

using isa::DType;
using isa::Product;
using isa::RuleSet;

// ---- Stage 1 ---------------------------------------------------------------

RuleSet CommonParameterRules(const ReduceSum& call,
                             std::span<const Product> products,
                             Product product) {
  const ReduceSumRules& rules = call.rules;
  RuleSet broken;
  broken.AddIf(std::ranges::find(products, product) == products.end(),
               rules.product);
  broken.AddIf(call.dtype != DType::kHalf && call.dtype != DType::kFloat,
               rules.dtype);
  broken.AddIf(call.dst.dtype.value_or(call.dtype) != call.dtype ||
                   call.src.dtype.value_or(call.dtype) != call.dtype,
               rules.dtype_match);
  broken.AddIf(!IsAtVectorPosition(call.dst) || !IsAtVectorPosition(call.src),
               rules.position);
  broken.AddIf(call.dst.at % ElementBytes(call.dtype) != 0, rules.dst_align);
  broken.AddIf(call.src.at % 32 != 0, rules.src_align);
  broken.AddIf(!IsWithin(call.repeat, 0, 255), rules.repeat);
  broken.AddIf(!IsWithin(call.src_blk_stride, 0, 65535) ||
                   !IsWithin(call.dst_rep_stride, 0, 65535) ||
                   !IsWithin(call.src_rep_stride, 0, 65535),
               rules.stride_range);
  broken.AddIf(product == Product::kAtlasTraining && call.dst_rep_stride == 0,
               rules.dst_rep_stride_zero);
  return broken;
}

// ---- Stage 2: *-BOUNDS -----------------------------------------------------

bool IsOutOfBounds(const ReduceSum& call, const SumListing& listing,
                   isa::Memory dst, isa::Memory src,
                   const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, dst, memories)) return true;
  if (!WindowIsInMemory(call.src, src, memories)) return true;
  return !LanesAreInWindow(call.src, listing.read, listing.iterations) ||
         !LanesAreInWindow(call.dst, listing.written, listing.iterations);
}

// ---- Stage 3: overlap within the same memory -------------------------------

namespace {

/// *-OVERLAP-ITERATION: some iteration's element shares a byte with the lanes
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

/// *-OVERLAP-DEPENDENCY: some iteration reads a byte that an earlier one
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

}  // namespace

RuleSet OverlapRules(const ReduceSum& call, const SumListing& listing) {
  RuleSet broken;
  if (!SpansMeet(listing.written, listing.iterations, listing.read,
                 listing.iterations)) {
    return broken;
  }
  broken.AddIf(OverlapsWithinIteration(listing), call.rules.overlap_iteration);
  broken.AddIf(DependsOnEarlierIteration(listing),
               call.rules.overlap_dependency);
  return broken;
}

// ---- Each rule by itself ----------------------------------------------------

RuleSet AccessRulesBrokenAnywhere(const ReduceSum& call,
                                  const Oracle::State& state) {
  RuleSet broken;
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  broken.AddIf(BreaksBounds(call.dst, dst, state.memories) ||
                   BreaksBounds(call.src, src, state.memories),
               call.rules.bounds);
  const auto mask = MaskOf(call.mask, call.dtype, state.mask_register);
  if (!mask) return broken;  // which lanes take part is unknown
  const SumListing listing(call, *mask);
  const LanesOfOperand written{kDst, dst, listing.written};
  const LanesOfOperand read{kSrc, src, listing.read};
  const std::int64_t iterations = listing.iterations;
  broken.AddIf(BreaksBounds(call.dst, written, iterations, state.memories) ||
                   BreaksBounds(call.src, read, iterations, state.memories),
               call.rules.bounds);
  if (dst == src && CanRun({written, read}, iterations, state.memories)) {
    broken.AddAll(OverlapRules(call, listing));
  }
  return broken;
}

}  // namespace lanediff::oracle

#include "oracle/elementwise_rules.h"

#include <algorithm>
#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {

bool HasProduct(const Operation& operation, const Oracle::State& state) {
  const auto listed = state.edition == isa::Edition::k2024
                          ? operation.products_2024
                          : operation.products;
  return std::ranges::find(listed, state.product) != listed.end();
}

bool TypeIsSupported(isa::DType type, isa::Product product) {
  using isa::DType;
  if (type == DType::kInt16) return product != isa::Product::kAtlasTraining;
  return type == DType::kHalf || type == DType::kFloat || type == DType::kInt32;
}

bool StridesAreInRange(const isa::BinaryRepeatParams& p) {
  return IsWithin(p.dst_blk_stride, 0, 255) &&
         IsWithin(p.src0_blk_stride, 0, 255) &&
         IsWithin(p.src1_blk_stride, 0, 255) &&
         IsWithin(p.dst_rep_stride, 0, 255) &&
         IsWithin(p.src0_rep_stride, 0, 255) &&
         IsWithin(p.src1_rep_stride, 0, 255);
}

namespace {

/// Marks, none set, for all bytes that the lanes of `list` touch.
ByteMarks MarksFor(const LaneList& list, std::int64_t iterations) {
  const ByteSpan span = SpanOf(list, iterations);
  return {span.first, span.end};
}

bool MayOverlap(const ElementwiseListing& listing, const LaneList& src) {
  return SpansMeet(listing.dst, listing.iterations, src, listing.iterations);
}

}  // namespace

bool OverlapsWithinIteration(const ElementwiseListing& listing,
                             const LaneList& src) {
  const LaneList& dst = listing.dst;
  if (!MayOverlap(listing, src)) return false;
  ByteMarks written = MarksFor(dst, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (Coincide(dst, src, r)) continue;
    MarkLanes(written, dst, r);
    if (AnyLane(written, src, r)) return true;
    ClearLanes(written, dst, r);
  }
  return false;
}

bool DependsOnEarlierIteration(const ElementwiseListing& listing,
                               const LaneList& src) {
  if (!MayOverlap(listing, src)) return false;
  ByteMarks written = MarksFor(listing.dst, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(written, src, r)) return true;
    MarkLanes(written, listing.dst, r);
  }
  return false;
}

bool OverlapsInCountForm(const ElementwiseListing& listing,
                         const LaneList& src) {
  return listing.dst.at != src.at &&
         ShareBytes(listing.dst, listing.iterations, src, listing.iterations);
}

}  // namespace lanediff::oracle

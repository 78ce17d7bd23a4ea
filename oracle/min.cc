#include "oracle/min.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

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

// ---- What a call with clean parameters reads and writes --------------------

/// MIN-ADDRESS, MIN-MASK-LANES. The count form is one iteration of as many
/// lanes as there are elements, contiguous.
struct Listing {
  Listing(const Min& call, const LaneMask& mask)
      : element_bytes(ElementBytes(call.dtype)) {
    if (call.form == Min::kCount) {
      iterations = call.count > 0 ? 1 : 0;
      dst = ListContiguous(call.dst.at, element_bytes, call.count, 0);
      src0 = ListContiguous(call.src0.at, element_bytes, call.count, 0);
      src1 = ListContiguous(call.src1.at, element_bytes, call.count, 0);
      return;
    }
    lanes = LanesOf(mask, call.dtype);
    iterations = lanes.empty() ? 0 : call.repeat_times;
    const isa::BinaryRepeatParams& p = call.repeat_params;
    dst = List(call.dst, p.dst_blk_stride, p.dst_rep_stride);
    src0 = List(call.src0, p.src0_blk_stride, p.src0_rep_stride);
    src1 = List(call.src1, p.src1_blk_stride, p.src1_rep_stride);
  }

  LaneList List(const Operand& operand, std::int64_t blk_stride,
                std::int64_t rep_stride) const {
    return ListLanes({.at = operand.at,
                      .element_bytes = element_bytes,
                      .blk_stride = blk_stride,
                      .rep_stride = rep_stride},
                     lanes);
  }

  std::int64_t element_bytes;
  std::int64_t iterations = 0;
  std::vector<std::int64_t> lanes;  ///< of the masked forms, ascending
  LaneList dst, src0, src1;
};

// ---- Stage 2: MIN-BOUNDS ---------------------------------------------------

bool IsOutOfBounds(const Min& call, const Listing& listing,
                   const isa::Memories& memories) {
  for (const Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    if (!WindowIsInMemory(*operand, isa::Memory::kUb, memories)) return true;
  }
  return !LanesAreInWindow(call.dst, listing.dst, listing.iterations) ||
         !LanesAreInWindow(call.src0, listing.src0, listing.iterations) ||
         !LanesAreInWindow(call.src1, listing.src1, listing.iterations);
}

// ---- Stage 3: overlap ------------------------------------------------------

/// Whether two operands' spans share a byte at all; without that no rule about
/// overlap can be broken.
bool SpansMeet(const LaneList& a, const LaneList& b, std::int64_t iterations) {
  const ByteSpan x = SpanOf(a, iterations);
  const ByteSpan y = SpanOf(b, iterations);
  return x.first < y.end && y.first < x.end;
}

/// Marks, none set, for all bytes that the lanes of `list` touch.
ByteMarks MarksFor(const LaneList& list, std::int64_t iterations) {
  const ByteSpan span = SpanOf(list, iterations);
  return {span.first, span.end};
}

/// MIN-OVERLAP-ITERATION for one source: in some iteration it shares a byte
/// with dst and does not coincide with it lane by lane.
bool OverlapsWithinIteration(const Listing& listing, const LaneList& src) {
  const LaneList& dst = listing.dst;
  if (!SpansMeet(dst, src, listing.iterations)) return false;
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
bool DependsOnEarlierIteration(const Listing& listing, const LaneList& src) {
  if (!SpansMeet(listing.dst, src, listing.iterations)) return false;
  ByteMarks written = MarksFor(listing.dst, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(written, src, r)) return true;
    MarkLanes(written, listing.dst, r);
  }
  return false;
}

/// Whether src0 and src1 share a byte over the whole call.
bool SourcesOverlap(const Listing& listing) {
  if (!SpansMeet(listing.src0, listing.src1, listing.iterations)) return false;
  ByteMarks read = MarksFor(listing.src0, listing.iterations);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    MarkLanes(read, listing.src0, r);
  }
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(read, listing.src1, r)) return true;
  }
  return false;
}

RuleSet OverlapRules(const Min& call, const Listing& listing) {
  RuleSet broken;
  if (listing.iterations == 0) return broken;
  if (call.form == Min::kCount) {
    const bool src0 = call.dst.at != call.src0.at &&
                      SpansMeet(listing.dst, listing.src0, listing.iterations);
    const bool src1 = call.dst.at != call.src1.at &&
                      SpansMeet(listing.dst, listing.src1, listing.iterations);
    broken.AddIf(src0 || src1, rule::kOverlapCount);
    return broken;
  }
  broken.AddIf(OverlapsWithinIteration(listing, listing.src0) ||
                   OverlapsWithinIteration(listing, listing.src1),
               rule::kOverlapIteration);
  const bool src0_depends = DependsOnEarlierIteration(listing, listing.src0);
  const bool src1_depends = DependsOnEarlierIteration(listing, listing.src1);
  const bool type_may = call.dtype == DType::kHalf ||
                        call.dtype == DType::kInt32 ||
                        call.dtype == DType::kFloat;
  const bool exception = type_may && (call.repeat_params.src1_rep_stride == 0 ||
                                      call.repeat_params.dst_rep_stride == 0);
  broken.AddIf(src0_depends || (src1_depends && !exception),
               rule::kOverlapDependency);
  broken.AddIf(src1_depends && exception && SourcesOverlap(listing),
               rule::kOverlapSources);
  return broken;
}

// ---- Execution -------------------------------------------------------------

void ListAccesses(const Min& call, const Listing& listing, std::int64_t r,
                  std::vector<Access>& accesses) {
  const auto list = [&](std::string_view name, const LaneList& lanes,
                        bool write) {
    Access access;
    access.operand = name;
    access.write = write;
    access.memory = isa::Memory::kUb;
    access.dtype = call.dtype;
    AppendAccesses(access, lanes, r, accesses);
  };
  list("src0", listing.src0, false);
  list("src1", listing.src1, false);
  list("dst", listing.dst, true);
}

void Trace(const Min& call, std::int64_t r, std::int64_t lane,
           std::uint64_t left, std::uint64_t right, const NodeResult& result,
           Oracle::State& state) {
  state.nodes.push_back({.iteration = r,
                         .level = 0,
                         .index = lane,
                         .dtype = call.dtype,
                         .operation = "min",
                         .left = left,
                         .right = right,
                         .result = result.bits,
                         .exact = ExactMinimum(call.dtype, left, right),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated});
}

/// Of one iteration; kept for the next one only to save allocating.
struct Scratch {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<std::uint64_t> smaller;
};

/// All reads of an iteration come before its writes.
void ExecuteIteration(const Min& call, const Listing& listing, std::int64_t r,
                      Scratch& scratch, Oracle::State& state) {
  const std::span<std::uint8_t> ub = state.memories[isa::Memory::kUb];
  auto& [left, right, smaller] = scratch;
  LoadLanes(ub, listing.src0, r, left);
  LoadLanes(ub, listing.src1, r, right);
  smaller.resize(left.size());
  for (std::size_t i = 0; i < smaller.size(); ++i) {
    const NodeResult result =
        Minimum(call.dtype, left[i], right[i], state.saturation);
    const std::int64_t lane =
        listing.lanes.empty() ? static_cast<std::int64_t>(i) : listing.lanes[i];
    if (state.tracing) {
      Trace(call, r, lane, left[i], right[i], result, state);
    }
    CountMinimum(call.dtype, left[i], right[i], result, state.events);
    ++state.node_count;
    smaller[i] = result.bits;
  }
  StoreLanes(ub, listing.dst, r, smaller);
}

/// The lanes that take part in a masked call.
LaneMask MaskOf(const Min& call, const LaneMask& mask_register) {
  if (!call.is_set_mask) return mask_register;
  return call.form == Min::kBitwise
             ? MaskOfWords(call.mask_words[1], call.mask_words[0])
             : MaskOfFirst(call.mask);
}

}  // namespace

isa::StepResult Run(const Min& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const bool is_count = call.form == Min::kCount;
  const LaneMask mask =
      is_count ? LaneMask() : MaskOf(call, state.mask_register);
  const Listing listing(call, mask);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories), rule::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken = OverlapRules(call, listing);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  Scratch scratch;
  // MIN-IN-ORDER: an iteration sees what the earlier ones wrote.
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, state.accesses);
    ExecuteIteration(call, listing, r, scratch, state);
  }
  // STATE-MASK-REGISTER.
  if (is_count && call.count > 0) state.mask_register = LaneMask().set();
  if (!is_count && call.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(is_count && call.count > 0, rule::kClobbersMask);
  result.notes.AddIf(listing.iterations == 0, rule::kNop);
  return result;
}

}  // namespace lanediff::oracle

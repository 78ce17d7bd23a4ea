#include "oracle/repeat_reduce_sum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/element.h"
#include "oracle/exact_text.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/sum_tree.h"
#include "oracle/vector_lanes.h"

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

// ---- What a call with clean parameters reads and writes --------------------

/// RRS-ADDRESS. After stage 1 every factor is at most 65535, so that all
/// offsets from `at` stay below 2^40.
struct Listing {
  Listing(const isa::RepeatReduceSum& call, const LaneMask& mask)
      : element_bytes(ElementBytes(call.dtype)),
        lanes(LanesOf(mask, call.dtype)),
        iterations(lanes.empty() ? 0 : call.repeat),
        read(ListLanes({.at = call.src.at,
                        .element_bytes = element_bytes,
                        .blk_stride = call.src_blk_stride,
                        .rep_stride = call.src_rep_stride},
                       lanes)),
        written(ListContiguous(call.dst.at, element_bytes, 1,
                               call.dst_rep_stride * element_bytes)) {}

  std::int64_t element_bytes;
  /// The lanes that take part, ascending; the same in each iteration. If there
  /// are none, nothing is read and nothing written.
  std::vector<std::int64_t> lanes;
  std::int64_t iterations;
  LaneList read;
  /// One element an iteration: dst.at + r·dstRepStride·sizeof(T).
  LaneList written;
};

// ---- Stage 2: RRS-BOUNDS ---------------------------------------------------

bool IsOutOfBounds(const isa::RepeatReduceSum& call, const Listing& listing,
                   isa::Memory dst_memory, isa::Memory src_memory,
                   const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, dst_memory, memories)) return true;
  if (!WindowIsInMemory(call.src, src_memory, memories)) return true;
  return !LanesAreInWindow(call.src, listing.read, listing.iterations) ||
         !LanesAreInWindow(call.dst, listing.written, listing.iterations);
}

// ---- Stage 3: overlap within the same memory -------------------------------

/// RRS-OVERLAP-ITERATION: some iteration's element shares a byte with the lanes
/// read and does not start where the lowest participating lane starts.
bool OverlapsWithinIteration(const Listing& listing) {
  const LaneList& read = listing.read;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    const Address element = listing.written.StartOf(r);
    const Address end = element + listing.element_bytes;
    const bool shares_a_byte =
        std::ranges::any_of(read.runs, [&](const LaneRun& run) {
          const Address first = read.AddressOf(r, run);
          return first < end && element < first + run.bytes;
        });
    const bool complete = element == read.AddressOf(r, read.runs.front());
    if (shares_a_byte && !complete) return true;
  }
  return false;
}

/// RRS-OVERLAP-DEPENDENCY: some iteration reads a byte that an earlier one
/// wrote.
bool DependsOnEarlierIteration(const Listing& listing) {
  if (listing.iterations == 0) return false;
  const ByteSpan span = SpanOf(listing.written, listing.iterations);
  ByteMarks written(span.first, span.end);
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(written, listing.read, r)) return true;
    MarkLanes(written, listing.written, r);
  }
  return false;
}

// ---- Execution -------------------------------------------------------------

/// Lists what iteration `r` reads and then writes.
void ListAccesses(const isa::RepeatReduceSum& call, const Listing& listing,
                  std::int64_t r, isa::Memory dst_memory,
                  isa::Memory src_memory, std::vector<Access>& accesses) {
  Access access;
  access.dtype = call.dtype;
  access.operand = "src";
  access.memory = src_memory;
  AppendAccesses(access, listing.read, r, accesses);
  access.operand = "dst";
  access.memory = dst_memory;
  access.write = true;
  AppendAccesses(access, listing.written, r, accesses);
}

/// Of one iteration; kept for the next one only to save allocating.
struct Scratch {
  std::vector<std::uint64_t> values;
  std::vector<Term> terms;
};

void ExecuteIteration(const isa::RepeatReduceSum& call, const Listing& listing,
                      std::int64_t r, isa::Memory dst_memory,
                      isa::Memory src_memory, Scratch& scratch,
                      Oracle::State& state) {
  auto& [values, terms] = scratch;
  LoadLanes(state.memories[src_memory], listing.read, r, values);
  terms.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    terms.push_back({.position = listing.lanes[i], .bits = values[i]});
  }
  const std::uint64_t sum = SumTree(terms, r, call.dtype, state);
  const Address at = listing.written.StartOf(r);
  Store(state.memories[dst_memory], at, listing.element_bytes, sum);
  if (state.tracing) {
    state.true_results.push_back({.iteration = r,
                                  .lane = 0,
                                  .at = static_cast<std::int64_t>(at),
                                  .exact = ExactSumText(call.dtype, values),
                                  .bits = sum});
  }
}

}  // namespace

isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const LaneMask mask = call.is_set_mask ? MaskOfFirst(call.elems_in_one_repeat)
                                         : state.mask_register;
  const Listing listing(call, mask);
  // The positions that stage 1 lets through exist on every product.
  const isa::Memory dst = MemoryOf(state.product, call.dst.position).value();
  const isa::Memory src = MemoryOf(state.product, call.src.position).value();

  broken.AddIf(IsOutOfBounds(call, listing, dst, src, state.memories),
               rrs::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  if (dst == src) {
    broken.AddIf(OverlapsWithinIteration(listing), rrs::kOverlapIteration);
    broken.AddIf(DependsOnEarlierIteration(listing), rrs::kOverlapDependency);
  }
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  Scratch scratch;
  // RRS-IN-ORDER; a later write to the same place wins.
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, dst, src, state.accesses);
    ExecuteIteration(call, listing, r, dst, src, scratch, state);
  }
  // STATE-MASK-REGISTER; with repeat 0 too, for the call was executed.
  if (call.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(call.repeat == 0, rrs::kRepeatZero);
  result.notes.AddIf(listing.lanes.empty(), rrs::kMaskEmpty);
  result.notes.Add(rrs::kPreferWholeReduceSum);
  return result;
}

}  // namespace lanediff::oracle

#include "oracle/repeat_reduce_sum.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/element.h"
#include "oracle/exact_text.h"
#include "oracle/lane_list.h"
#include "oracle/memory_map.h"
#include "oracle/repeat_reduce_sum_rules.h"
#include "oracle/state.h"
#include "oracle/sum_tree.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

namespace rrs = isa::rrs;

/// Lists what iteration `r` reads and then writes.
void ListAccesses(const isa::RepeatReduceSum& call, const SumListing& listing,
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

void ExecuteIteration(const isa::RepeatReduceSum& call,
                      const SumListing& listing, std::int64_t r,
                      isa::Memory dst_memory, isa::Memory src_memory,
                      Scratch& scratch, Oracle::State& state) {
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

/// RRS-IN-ORDER; a later write to the same place wins.
void ExecuteListing(const isa::RepeatReduceSum& call, const SumListing& listing,
                    isa::Memory dst, isa::Memory src, Oracle::State& state) {
  Scratch scratch;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, dst, src, state.accesses);
    ExecuteIteration(call, listing, r, dst, src, scratch, state);
  }
}

}  // namespace

isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state) {
  isa::RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // Stage 1 lets only masks and positions through that exist.
  const LaneMask mask = MaskOf(call, state.mask_register).value();
  const SumListing listing(call, mask);
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

  ExecuteListing(call, listing, dst, src, state);
  // STATE-MASK-REGISTER; with repeat 0 too, for the call was executed.
  if (call.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(call.repeat == 0, rrs::kRepeatZero);
  result.notes.AddIf(listing.lanes.empty(), rrs::kMaskEmpty);
  result.notes.Add(rrs::kPreferWholeReduceSum);
  return result;
}

Extended RunExtended(const isa::RepeatReduceSum& call, Oracle::State& state) {
  if (call.dtype != isa::DType::kHalf && call.dtype != isa::DType::kFloat) {
    return std::unexpected(reason::kNoArithmetic);
  }
  if (call.repeat < 0) return std::unexpected(reason::kNegativeRepeat);
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return std::unexpected(reason::kNoSuchLanes);

  const SumListing listing(call, *mask);
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  const Extended can_run =
      CanRun({{kDst, dst, listing.written}, {kSrc, src, listing.read}},
             listing.iterations, state.memories);
  if (!can_run) return can_run;
  if (listing.iterations > 0) ExecuteListing(call, listing, *dst, *src, state);
  if (call.is_set_mask) state.mask_register = *mask;
  return {};
}

}  // namespace lanediff::oracle

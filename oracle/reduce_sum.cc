#include "oracle/reduce_sum.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/exact_text.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/sum_tree.h"

namespace lanediff::oracle {
namespace {

/// Of one iteration; kept for the next one only to save allocating.
struct Scratch {
  std::vector<std::uint64_t> values;
  std::vector<Term> terms;
};

void ExecuteIteration(isa::DType dtype, const SumListing& listing,
                      std::int64_t r, isa::Memory dst_memory,
                      isa::Memory src_memory, Scratch& scratch,
                      Oracle::State& state) {
  auto& [values, terms] = scratch;
  LoadLanes(state.memories[src_memory], listing.read, r, values);
  terms.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    terms.push_back({.position = listing.lanes[i], .bits = values[i]});
  }
  const std::uint64_t sum = SumTree(terms, r, dtype, state);
  const Address at = listing.written.StartOf(r);
  Store(state.memories[dst_memory], at, listing.element_bytes, sum);
  if (state.tracing) {
    state.true_results.push_back({.iteration = r,
                                  .lane = 0,
                                  .at = static_cast<std::int64_t>(at),
                                  .exact = ExactSumText(dtype, values),
                                  .bits = sum});
  }
}

/// *-IN-ORDER; a later write to the same place wins.
void ExecuteListing(isa::DType dtype, const SumListing& listing,
                    isa::Memory dst, isa::Memory src, Oracle::State& state) {
  Scratch scratch;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    AppendAccesses({.operand = "src", .memory = src, .dtype = dtype},
                   listing.read, r, state.accesses);
    AppendAccesses(
        {.operand = "dst", .write = true, .memory = dst, .dtype = dtype},
        listing.written, r, state.accesses);
    if (state.computing) {
      ExecuteIteration(dtype, listing, r, dst, src, scratch, state);
    }
  }
}

}  // namespace

SumListing::SumListing(const ReduceSum& call, const LaneMask& mask)
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

isa::StepResult RunReduceSum(const ReduceSum& call, Oracle::State& state) {
  // Stage 1 lets only masks and positions through that exist.
  const LaneMask mask =
      MaskOf(call.mask, call.dtype, state.mask_register).value();
  const SumListing listing(call, mask);
  const isa::Memory dst = MemoryOf(state.product, call.dst.position).value();
  const isa::Memory src = MemoryOf(state.product, call.src.position).value();

  isa::RuleSet broken;
  broken.AddIf(IsOutOfBounds(call, listing, dst, src, state.memories),
               call.rules.bounds);
  if (broken.empty() && dst == src) broken = OverlapRules(call, listing);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteListing(call.dtype, listing, dst, src, state);
  // STATE-MASK-REGISTER; with repeat 0 too, for the call was executed.
  if (call.mask.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(call.repeat == 0, call.rules.repeat_zero);
  result.notes.AddIf(listing.lanes.empty(), call.rules.mask_empty);
  return result;
}

Extended RunReduceSumExtended(const ReduceSum& call, Oracle::State& state) {
  if (call.dtype != isa::DType::kHalf && call.dtype != isa::DType::kFloat) {
    return std::unexpected(reason::kNoArithmetic);
  }
  if (call.repeat < 0) return std::unexpected(reason::kNegativeRepeat);
  const auto mask = MaskOf(call.mask, call.dtype, state.mask_register);
  if (!mask) return std::unexpected(reason::kNoSuchLanes);

  const SumListing listing(call, *mask);
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  const Extended can_run =
      CanRun({{kDst, dst, listing.written}, {kSrc, src, listing.read}},
             listing.iterations, state.memories);
  if (!can_run) return can_run;
  if (listing.iterations > 0) {
    ExecuteListing(call.dtype, listing, *dst, *src, state);
  }
  if (call.mask.is_set_mask) state.mask_register = *mask;
  return {};
}

}  // namespace lanediff::oracle

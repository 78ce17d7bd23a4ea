#include "oracle/min.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/lane_list.h"
#include "oracle/memory_map.h"
#include "oracle/min_rules.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Min;
// The namespace `min` holds the rules; `Min` is the call.
namespace rule = isa::min;

/// The memories of the operands.
struct Places {
  isa::Memory dst = isa::Memory::kUb;
  isa::Memory src0 = isa::Memory::kUb;
  isa::Memory src1 = isa::Memory::kUb;
};

void ListAccesses(const Min& call, const MinListing& listing,
                  const Places& places, std::int64_t r,
                  std::vector<Access>& accesses) {
  const auto list = [&](std::string_view name, const LaneList& lanes,
                        isa::Memory memory, bool write) {
    Access access;
    access.operand = name;
    access.write = write;
    access.memory = memory;
    access.dtype = call.dtype;
    AppendAccesses(access, lanes, r, accesses);
  };
  list("src0", listing.src0, places.src0, false);
  list("src1", listing.src1, places.src1, false);
  list("dst", listing.dst, places.dst, true);
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
void ExecuteIteration(const Min& call, const MinListing& listing,
                      const Places& places, std::int64_t r, Scratch& scratch,
                      Oracle::State& state) {
  auto& [left, right, smaller] = scratch;
  LoadLanes(state.memories[places.src0], listing.src0, r, left);
  LoadLanes(state.memories[places.src1], listing.src1, r, right);
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
  StoreLanes(state.memories[places.dst], listing.dst, r, smaller);
}

/// MIN-IN-ORDER: an iteration sees what the earlier ones wrote.
void ExecuteListing(const Min& call, const MinListing& listing,
                    const Places& places, Oracle::State& state) {
  Scratch scratch;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, places, r, state.accesses);
    ExecuteIteration(call, listing, places, r, scratch, state);
  }
}

/// STATE-MASK-REGISTER.
void LeaveMask(const Min& call, const LaneMask& mask, Oracle::State& state) {
  if (call.form == Min::kCount) {
    if (call.count > 0) state.mask_register = LaneMask().set();
  } else if (call.is_set_mask) {
    state.mask_register = mask;
  }
}

bool HasArithmetic(DType type) {
  return type == DType::kHalf || type == DType::kFloat ||
         type == DType::kInt16 || type == DType::kInt32;
}

}  // namespace

isa::StepResult Run(const Min& call, Oracle::State& state) {
  isa::RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // Stage 1 lets only masks through that exist, and operands in UB.
  const LaneMask mask = MaskOf(call, state.mask_register).value();
  const MinListing listing(call, mask);
  const isa::Memory ub = isa::Memory::kUb;
  broken.AddIf(IsOutOfBounds(call, listing, state.memories), rule::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken = OverlapRules(call, listing, {.dst = ub, .src0 = ub, .src1 = ub});
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteListing(call, listing, {.dst = ub, .src0 = ub, .src1 = ub}, state);
  LeaveMask(call, mask, state);

  isa::StepResult result;
  result.notes.AddIf(call.form == Min::kCount && call.count > 0,
                     rule::kClobbersMask);
  result.notes.AddIf(listing.iterations == 0, rule::kNop);
  return result;
}

Extended RunExtended(const Min& call, Oracle::State& state) {
  if (!HasArithmetic(call.dtype)) {
    return std::unexpected(reason::kNoArithmetic);
  }
  if (call.form == Min::kCount && call.count < 0) {
    return std::unexpected(reason::kNegativeCount);
  }
  if (call.form != Min::kCount && call.repeat_times < 0) {
    return std::unexpected(reason::kNegativeRepeat);
  }
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return std::unexpected(reason::kNoSuchLanes);

  const MinListing listing(call, *mask);
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src0 = MemoryOf(state.product, call.src0.position);
  const auto src1 = MemoryOf(state.product, call.src1.position);
  const Extended can_run = CanRun({{kDst, dst, listing.dst},
                                   {kSrc0, src0, listing.src0},
                                   {kSrc1, src1, listing.src1}},
                                  listing.iterations, state.memories);
  if (!can_run) return can_run;
  if (listing.iterations > 0) {
    ExecuteListing(call, listing, {*dst, *src0, *src1}, state);
  }
  LeaveMask(call, *mask, state);
  return {};
}

}  // namespace lanediff::oracle

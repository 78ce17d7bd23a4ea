#include "isa/call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <set>
#include <span>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/call_operations.h"
#include "oracle/call_rules.h"
#include "oracle/cast.h"
#include "oracle/exact_text.h"
#include "oracle/extended.h"
#include "oracle/format.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/sum_tree.h"

/// Lane-wise calls have one node for each lane; reductions join the lanes of an
/// iteration, or of its groups, as trees and write one element of each.
namespace lanediff::oracle {

using isa::CallRule;
using isa::Param;

namespace {

/// What dst's element is made of, by a call without modes: computed as in
/// saturation mode.
NodeResult BeforeCast(const isa::Call& call, Inputs inputs) {
  return OperationOf(call).node.compute(call.dtype, inputs, true);
}

NodeResult CastResultOf(const isa::Call& call, Inputs inputs, bool saturation) {
  return CastResult(call.dtype, call.TypeOf(0), BeforeCast(call, inputs).bits,
                    saturation);
}

/// The node of a lane of `call`, whatever it computes.
NodeResult Compute(const isa::Call& call, Inputs inputs, bool saturation) {
  if (call.Has(Param::kRoundMode)) {
    return Cast(call.dtype, call.TypeOf(0), call.round_mode, inputs[0],
                saturation);
  }
  if (call.signature->Converts()) {
    const NodeResult first = BeforeCast(call, inputs);
    NodeResult result = CastResultOf(call, inputs, saturation);
    result.rounded |= first.rounded;
    result.tie |= first.tie;
    result.saturated |= first.saturated;
    return result;
  }
  return OperationOf(call).node.compute(call.dtype, inputs, saturation);
}

void Count(const isa::Call& call, Inputs inputs, const NodeResult& result,
           bool saturation, isa::NumericEvents& events) {
  if (call.Has(Param::kRoundMode)) {
    CountCast(call.dtype, call.TypeOf(0), inputs[0], result, events);
  } else if (call.signature->Converts()) {
    // Of the conversion alone; without saturation nothing of a NaN.
    const NodeResult last = CastResultOf(call, inputs, saturation);
    if (!saturation && last.saturated) return;
    CountCast(call.dtype, call.TypeOf(0), BeforeCast(call, inputs).bits, last,
              events);
  } else {
    OperationOf(call).node.count(call.dtype, inputs, result, saturation,
                                 events);
  }
}

void Trace(const isa::Call& call, std::int64_t r, std::int64_t lane,
           Inputs inputs, const NodeResult& result, Oracle::State& state) {
  const Operation& operation = OperationOf(call);
  const isa::DType type = call.dtype;
  // Neither the number of a lane nor its bit nor a mode is an element of the
  // type.
  const std::array beside_bit = {inputs.front(), inputs.back()};
  const Inputs shown = call.signature->NumbersLanes() ? inputs.first(1)
                       : call.signature->PacksBits()  ? inputs.first(2)
                       : call.Has(Param::kSelMode)    ? Inputs(beside_bit)
                                                      : inputs;
  state.nodes.push_back(
      {.iteration = r,
       .level = 0,
       .index = lane,
       .dtype = type,
       .result_dtype = call.TypeOf(0),
       .operation = operation.name,
       .left = shown.front(),
       .right = shown[shown.size() > 1 ? 1 : 0],
       .third = shown.size() > 2 ? std::optional(shown[2]) : std::nullopt,
       .result = result.bits,
       .exact = operation.node.exact(type, inputs),
       .rounded = result.rounded,
       .tie = result.tie,
       .saturated = result.saturated,
       .wrapped = result.wrapped});
}

/// The exact values of the iteration's nodes, the last ones traced, are those
/// of the elements written.
void TraceTrueResults(const LaneList& dst, std::int64_t r, std::size_t nodes,
                      Oracle::State& state) {
  const Node* node = state.nodes.data() + state.nodes.size() - nodes;
  for (const LaneRun& run : dst.runs) {
    const auto at = static_cast<std::int64_t>(dst.AddressOf(r, run));
    for (std::int64_t i = 0; i < run.bytes; i += dst.element_bytes, ++node) {
      state.true_results.push_back({.iteration = r,
                                    .lane = node->index,
                                    .at = at + i,
                                    .exact = node->exact,
                                    .bits = node->result});
    }
  }
}

/// Of one iteration; kept for the next one only to save allocating.
struct Scratch {
  /// Elements of the operands, dst first.
  std::array<std::vector<std::uint64_t>, isa::Call::kMostOperands> values;
  std::vector<Term> terms;
  std::vector<bool> open;            ///< elements of dst, where any is
  std::set<std::int64_t> left_open;  ///< where they begin, so far
};

/// The bits of `of_lanes`, 1 or 0 each, of lanes that are 0 elsewhere: bit i of
/// an iteration is bit i mod 8 of byte i div 8.
std::vector<std::uint64_t> Packed(const std::vector<std::uint64_t>& of_lanes,
                                  const std::vector<std::int64_t>& lanes,
                                  std::size_t bytes) {
  std::vector<std::uint64_t> packed(bytes);
  for (std::size_t i = 0; i < of_lanes.size(); ++i) {
    const std::size_t bit =
        lanes.empty() ? i : static_cast<std::size_t>(lanes[i]);
    packed[bit / 8] += of_lanes[i] << bit % 8;
  }
  return packed;
}

/// The elements of dst of a lane-wise call.
void ComputeLanes(const isa::Call& call, const CallListing& listing,
                  std::int64_t r, Scratch& scratch, Oracle::State& state) {
  auto& values = scratch.values;
  const Operation& operation = OperationOf(call);
  const std::size_t sources = call.sources();
  const LaneList& dst = listing.operands[0];
  const bool packs = call.signature->PacksBits();
  const auto elements =
      static_cast<std::size_t>(dst.BytesOfIteration() / dst.element_bytes);
  values[0].resize(packs ? values[1].size() : elements);
  std::array<std::uint64_t, isa::Call::kMostOperands> of_lane = {};
  std::size_t count = sources;
  if (call.Has(Param::kScalar)) of_lane[count++] = call.scalar;
  if (call.signature->Has(Param::kRoundEn)) {
    of_lane[count++] = call.Has(Param::kRoundEn) && call.round_en ? 1 : 0;
  }
  if (packs) of_lane[count++] = static_cast<std::uint64_t>(call.cmp_mode);
  const bool reads_dst = call.signature->ReadsDst();
  const bool numbered = call.signature->NumbersLanes();
  const std::int64_t lanes_each = kIterationBytes / ElementBytes(call.dtype);
  const Inputs inputs =
      std::span(of_lane).first(reads_dst || numbered ? count + 1 : count);
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    for (std::size_t s = 0; s < sources; ++s) of_lane[s] = values[s + 1][i];
    if (reads_dst) of_lane[count] = values[0][i];
    const auto lane =
        listing.lanes.empty() ? static_cast<std::int64_t>(i) : listing.lanes[i];
    if (numbered) {
      of_lane[count] = static_cast<std::uint64_t>(r * lanes_each + lane);
    }
    const NodeResult result = Compute(call, inputs, state.saturation);
    if (state.tracing) {
      Trace(call, r, lane, inputs, result, state);
    }
    Count(call, inputs, result, state.saturation, state.events);
    ++state.node_count;
    values[0][i] = result.bits;
    scratch.open.push_back(result.open);
  }
  if (packs) values[0] = Packed(values[0], listing.lanes, elements);
  if (state.tracing && operation.has_true_results) {
    TraceTrueResults(dst, r, values[0].size(), state);
  }
}

/// *-UNMASKED: what Atlas 200I/500 A2 writes where no lane takes part: +0 of a
/// sum, else -inf or inf, of half the last finite value before it.
std::uint64_t FillingOf(const isa::Call& call) {
  const bool half = call.dtype == isa::DType::kHalf;
  if (OperationOf(call).name == "max") return half ? 0xfbff : 0xff800000;
  if (OperationOf(call).name == "min") return half ? 0x7bff : 0x7f800000;
  return 0;
}

/// *-INDEX: the lowest lane that is the largest or smallest one, which no
/// saturation has changed; of NaN the lowest NaN.
std::uint64_t IndexOfResult(const isa::Call& call, const CallListing& listing,
                            const std::vector<std::uint64_t>& lanes) {
  const LaneNode& node = OperationOf(call).node;
  std::uint64_t result = lanes.front();
  for (const std::uint64_t lane : lanes) {
    const std::array both = {result, lane};
    result = node.compute(call.dtype, both, false).bits;
  }
  const auto is_nan = [&](std::uint64_t bits) {
    return Decode(FormatOf(call.dtype), bits).IsNan();
  };
  std::size_t i = 0;
  while (lanes[i] != result && !(is_nan(lanes[i]) && is_nan(result))) ++i;
  return static_cast<std::uint64_t>(listing.lanes[i]);
}

/// *-REDUCE-ORDER: what stands in the elements of an iteration's result. An
/// index of 32 bits is small enough for the first one; the others are 0.
std::uint64_t OrderedElement(isa::ReduceOrder order, std::int64_t element,
                             std::uint64_t value, std::uint64_t index) {
  switch (order) {
    case isa::ReduceOrder::kValueIndex:
      return element == 0 ? value : index;
    case isa::ReduceOrder::kIndexValue:
      return element == 0 ? index : value;
    case isa::ReduceOrder::kOnlyValue:
      return value;
    case isa::ReduceOrder::kOnlyIndex:
      break;
  }
  return element == 0 ? index : 0;
}

/// The elements of dst of a reduction.
void ComputeResults(const isa::Call& call, const CallListing& listing,
                    std::int64_t r, Scratch& scratch, Oracle::State& state) {
  auto& values = scratch.values;
  auto& terms = scratch.terms;
  terms.clear();
  for (std::size_t i = 0; i < values[1].size(); ++i) {
    terms.push_back({.position = listing.lanes[i], .bits = values[1][i]});
  }
  const Operation& operation = OperationOf(call);
  const std::int64_t lanes_each = LanesOfResult(call);
  ReduceTrees(operation, lanes_each, r, call.dtype, terms, state);
  values[0].clear();
  auto root = terms.begin();
  if (call.Has(Param::kReduceOrder)) {
    const std::uint64_t index = IndexOfResult(call, listing, values[1]);
    for (const std::int64_t element : listing.results) {
      values[0].push_back(
          OrderedElement(call.reduce_order, element, root->bits, index));
    }
    return;
  }
  for (const std::int64_t result : listing.results) {
    const bool has_lane = root != terms.end() && root->position == result;
    values[0].push_back(has_lane ? (root++)->bits : FillingOf(call));
    if (!has_lane || !state.tracing || !operation.has_true_results) continue;
    std::vector<std::uint64_t> leaves;
    for (std::size_t i = 0; i < values[1].size(); ++i) {
      if (listing.lanes[i] / lanes_each != result) continue;
      leaves.push_back(values[1][i]);
    }
    const Address at = listing.operands[0].StartOf(r) +
                       result * listing.operands[0].element_bytes;
    state.true_results.push_back({.iteration = r,
                                  .lane = result,
                                  .at = static_cast<std::int64_t>(at),
                                  .exact = ExactSumText(call.dtype, leaves),
                                  .bits = values[0].back()});
  }
}

/// The bit of each lane of the iteration, from operand `i`: *-VALUE.
void LoadBits(const isa::Call& call, const CallListing& listing, std::size_t i,
              std::int64_t r, std::span<const std::uint8_t> memory,
              std::vector<std::uint64_t>& bits) {
  bits.clear();
  const bool by_count = call.Has(Param::kCount);
  const auto lanes = by_count ? call[Param::kCount]
                              : static_cast<std::int64_t>(listing.lanes.size());
  for (std::int64_t n = 0; n < lanes; ++n) {
    std::int64_t bit =
        by_count ? n : listing.lanes[static_cast<std::size_t>(n)];
    // The count form's iterations are one list here.
    if (call.sel_mode == isa::SelMode::kSameBits) bit %= LanesEach(call);
    const Address byte = listing.operands[i].StartOf(r) + bit / 8;
    bits.push_back(Load(memory, byte, 1) >> bit % 8 & 1);
  }
}

/// Notes which elements the iteration leaves open, and that what it overwrites
/// is not so any more.
void NoteOpen(const CallListing& listing, std::int64_t r, Scratch& scratch) {
  const LaneList& dst = listing.operands[0];
  auto open = scratch.open.begin();
  for (const LaneRun& run : dst.runs) {
    const auto at = static_cast<std::int64_t>(dst.AddressOf(r, run));
    for (std::int64_t i = 0; i < run.bytes; i += dst.element_bytes) {
      scratch.left_open.erase(
          scratch.left_open.upper_bound(at + i - dst.element_bytes),
          scratch.left_open.lower_bound(at + i + dst.element_bytes));
      if (*open++) scratch.left_open.insert(at + i);
    }
  }
}

/// As few accesses as there can be.
void ListOpen(const isa::Call& call, const CallListing& listing,
              const Scratch& scratch, Oracle::State& state) {
  const std::int64_t size = listing.operands[0].element_bytes;
  for (const std::int64_t at : scratch.left_open) {
    auto& all = state.open_results;
    if (all.empty() || all.back().at + all.back().bytes != at) {
      all.push_back({.operand = kDst.name,
                     .write = true,
                     .memory = *listing.memories[0],
                     .at = at,
                     .bytes = 0,
                     .dtype = call.TypeOf(0)});
    }
    all.back().bytes += size;
  }
}

/// All reads of an iteration come before its writes.
void ExecuteIteration(const isa::Call& call, const CallListing& listing,
                      std::int64_t r, Scratch& scratch, Oracle::State& state) {
  const auto memory_of = [&](std::size_t i) {
    return state.memories[*listing.memories[i]];
  };
  const std::size_t first = call.signature->ReadsDst() ? 0 : 1;
  for (std::size_t i = first; i <= call.sources(); ++i) {
    if (call.signature->operands[i].is_packed) {
      LoadBits(call, listing, i, r, memory_of(i), scratch.values[i]);
      continue;
    }
    LoadLanes(memory_of(i), listing.operands[i], r, scratch.values[i]);
  }
  scratch.open.clear();
  (Reduces(call) ? ComputeResults : ComputeLanes)(call, listing, r, scratch,
                                                  state);
  StoreLanes(memory_of(0), listing.operands[0], r, scratch.values[0]);
  const bool opens =
      std::ranges::find(scratch.open, true) != scratch.open.end();
  if (opens || !scratch.left_open.empty()) NoteOpen(listing, r, scratch);
}

/// Runs the iterations of `listing`, one after the other, all reads of each
/// before its writes (*-IN-ORDER); a later write to the same place wins. The
/// operands have memories and lie in them. Leaves the mask behind, with repeat
/// 0 too: STATE-MASK-REGISTER, STATE-MASK-MODE.
void RunListing(const isa::Call& call, const CallListing& listing,
                Oracle::State& state) {
  Scratch scratch;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, state.accesses);
    if (state.computing) ExecuteIteration(call, listing, r, scratch, state);
  }
  ListOpen(call, listing, scratch, state);
  if (!call.Has(Param::kCount)) {
    if (call.is_set_mask) state.mask_register = *listing.mask;
  } else if (call[Param::kCount] > 0) {
    state.mask_register.set();
    state.counter_mode = false;
  }
}

isa::StepResult RunLanes(const isa::Call& call, Oracle::State& state) {
  isa::RuleSet broken = ParameterRules(call, state);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // Stage 1 lets only masks through that exist, and operands in UB.
  const CallListing listing(call, state);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories),
               call.Rule(CallRule::kBounds));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken = OverlapRules(call, listing);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  RunListing(call, listing, state);

  isa::StepResult result;
  if (Reduces(call)) {
    result.notes.AddIf(call[Param::kRepeatTimes] == 0,
                       call.Rule(CallRule::kRepeatZero));
    result.notes.AddIf(listing.lanes.empty(), call.Rule(CallRule::kMaskEmpty));
    result.notes.AddIf(call.signature->op == "RepeatReduceSum",
                       call.Rule(CallRule::kPreferWholeReduceSum));
  } else {
    result.notes.AddIf(call.Has(Param::kCount) && call[Param::kCount] > 0,
                       call.Rule(CallRule::kClobbersMask));
    result.notes.AddIf(listing.iterations == 0, call.Rule(CallRule::kNop));
  }
  return result;
}

Extended RunLanesExtended(const isa::Call& call, Oracle::State& state) {
  if (!OperationOf(call).Computes(call.dtype)) {
    return std::unexpected(reason::kNoArithmetic);
  }
  const bool by_count = call.Has(Param::kCount);
  if (by_count && call[Param::kCount] < 0) {
    return std::unexpected(reason::kNegativeCount);
  }
  if (!by_count && call[Param::kRepeatTimes] < 0) {
    return std::unexpected(reason::kNegativeRepeat);
  }
  const CallListing listing(call, state);
  if (!listing.mask) return std::unexpected(reason::kNoSuchLanes);
  const Extended can_run =
      CanRun(LanesOf(call, listing), listing.iterations, state.memories);
  if (can_run) RunListing(call, listing, state);
  return can_run;
}

}  // namespace

const CallFunctions kLaneCalls = {RunLanes, LaneRulesAnywhere,
                                  RunLanesExtended};

}  // namespace lanediff::oracle

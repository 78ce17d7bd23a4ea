#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/call.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/call_rules.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::CallRule;
using isa::DType;
using isa::Operand;
using isa::Param;
using isa::Product;
using isa::RuleSet;

constexpr std::array kProducts = {Product::kAtlasA2, Product::kAtlasA3,
                                  Product::kAtlasInferenceAicore};
constexpr std::array kTypes = {DType::kInt16,    DType::kUint16, DType::kHalf,
                               DType::kBfloat16, DType::kInt32,  DType::kUint32,
                               DType::kFloat};

RuleSet BroadcastParameterRules(const isa::Call& call, Product product) {
  using enum CallRule;
  RuleSet broken;
  broken.AddIf(std::ranges::count(kProducts, product) == 0,
               call.Rule(CallRule::kProduct));
  broken.AddIf(std::ranges::count(kTypes, call.dtype) == 0 ||
                   (call.dtype == DType::kBfloat16 &&
                    product == Product::kAtlasInferenceAicore),
               call.Rule(kDtype));
  for (const Operand& operand : call.used_operands()) {
    broken.AddIf(operand.dtype.value_or(call.dtype) != call.dtype,
                 call.Rule(kDtypeMatch));
    broken.AddIf(!IsAtVectorPosition(operand), call.Rule(kPosition));
    broken.AddIf(operand.at % 32 != 0, call.Rule(kAlign));
  }
  broken.AddIf(!IsWithin(call[Param::kRepeatTimes], 0, 255),
               call.Rule(kRepeat));
  for (const Param stride : {Param::kDstBlkStride, Param::kDstRepStride}) {
    broken.AddIf(!IsWithin(call[stride], 0, 65535), call.Rule(kStrideRange));
  }
  broken.AddIf(call[Param::kDstBlkStride] == 0, call.Rule(kDstBlkStrideZero));
  return broken;
}

/// BRCB-OVERLAP: dst and src share a byte over the whole call. For operands in
/// the same memory, inside it.
bool Overlaps(const CallListing& listing) {
  return ShareBytes(listing.operands[0], listing.iterations,
                    listing.operands[1], listing.iterations);
}

/// BRCB-VALUE: the element of number i stands in each place of DataBlock i,
/// BRCB-BITS: as it is; BRCB-IN-ORDER; BRCB-CLOBBERS-MASK.
void ExecuteBlocks(const isa::Call& call, const CallListing& listing,
                   Oracle::State& state) {
  std::vector<std::uint64_t> elements;
  std::vector<std::uint64_t> blocks;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, state.accesses);
    if (!state.computing) continue;
    LoadLanes(state.memories[*listing.memories[1]], listing.operands[1], r,
              elements);
    blocks.clear();
    const std::int64_t times = 32 / listing.operands[0].element_bytes;
    for (const std::uint64_t element : elements) {
      for (std::int64_t i = 0; i < times; ++i) blocks.push_back(element);
    }
    StoreLanes(state.memories[*listing.memories[0]], listing.operands[0], r,
               blocks);
  }
  state.mask_register.set();
}

isa::StepResult RunBroadcast(const isa::Call& call, Oracle::State& state) {
  RuleSet broken = BroadcastParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  const CallListing listing(call, state);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories),
               call.Rule(CallRule::kBounds));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(Overlaps(listing), call.Rule(CallRule::kOverlap));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteBlocks(call, listing, state);
  isa::StepResult result;
  result.notes.Add(call.Rule(CallRule::kClobbersMask));
  result.notes.AddIf(listing.iterations == 0, call.Rule(CallRule::kRepeatZero));
  return result;
}

RuleSet BroadcastRulesAnywhere(const isa::Call& call,
                               const Oracle::State& state) {
  RuleSet broken = BroadcastParameterRules(call, state.product);
  const CallListing listing(call, state);
  const std::int64_t times = listing.iterations;
  const auto lanes = LanesOf(call, listing);
  broken.AddIf(BreaksBounds(call, lanes, times, state.memories),
               call.Rule(CallRule::kBounds));
  broken.AddIf(listing.memories[0] == listing.memories[1] &&
                   CanRun(lanes, times, state.memories) && Overlaps(listing),
               call.Rule(CallRule::kOverlap));
  return broken;
}

Extended RunBroadcastExtended(const isa::Call& call, Oracle::State& state) {
  if (call[Param::kRepeatTimes] < 0) {
    return std::unexpected(reason::kNegativeRepeat);
  }
  const CallListing listing(call, state);
  const Extended can_run =
      CanRun(LanesOf(call, listing), listing.iterations, state.memories);
  if (can_run) ExecuteBlocks(call, listing, state);
  return can_run;
}

}  // namespace

const CallFunctions kBroadcastCalls = {RunBroadcast, BroadcastRulesAnywhere,
                                       RunBroadcastExtended};

}  // namespace lanediff::oracle

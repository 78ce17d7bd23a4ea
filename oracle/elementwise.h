#pragma once

#include <cstdint>
#include <expected>

#include "isa/elementwise.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/elementwise_operation.h"
#include "oracle/elementwise_rules.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"
#include "oracle/state.h"

/// Min, Max, Add, Sub and Mul: one node for each pair of elements.
namespace lanediff::oracle {

/// Runs the iterations of `listing`, one after the other, all reads of each
/// before its writes (*-IN-ORDER). The operands have memories and lie in them.
void ExecuteListing(const Operation& operation, isa::DType type,
                    const ElementwiseListing& listing,
                    const ElementwiseMemories& places, Oracle::State& state);

/// STATE-MASK-REGISTER, STATE-MASK-MODE: what an executed call with this mask
/// leaves behind.
template <class Tag>
void LeaveMask(const isa::ElementwiseCall<Tag>& call, const LaneMask& mask,
               Oracle::State& state) {
  if (call.form == call.kCount) {
    if (call.count > 0) {
      state.mask_register = LaneMask().set();
      state.counter_mode = false;
    }
  } else if (call.is_set_mask) {
    state.mask_register = mask;
  }
}

/// Runs the call, or returns the rules that forbid it.
template <class Tag>
isa::StepResult Run(const isa::ElementwiseCall<Tag>& call,
                    Oracle::State& state) {
  using rule = isa::ElementwiseRules<Tag>;
  isa::RuleSet broken = ParameterRules(call, state);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // Stage 1 lets only masks through that exist, and operands in UB.
  const LaneMask mask = MaskOf(call, state.mask_register).value();
  const ElementwiseListing listing(call, mask);
  const ElementwiseMemories places = MemoriesOf(call, state.product);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories), rule::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken = OverlapRules(call, listing, places);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteListing(OperationOf<Tag>(), call.dtype, listing, places, state);
  LeaveMask(call, mask, state);

  isa::StepResult result;
  result.notes.AddIf(call.form == call.kCount && call.count > 0,
                     rule::kClobbersMask);
  result.notes.AddIf(listing.iterations == 0, rule::kNop);
  return result;
}

/// Whether the family computes with elements of this type.
bool HasArithmetic(isa::DType type);

/// Runs the call whatever it breaks. The reject rules that it breaks, each
/// judged by itself, are `BrokenAnywhere` in oracle/elementwise_rules.h.
template <class Tag>
Extended RunExtended(const isa::ElementwiseCall<Tag>& call,
                     Oracle::State& state) {
  if (!HasArithmetic(call.dtype)) {
    return std::unexpected(reason::kNoArithmetic);
  }
  if (call.form == call.kCount && call.count < 0) {
    return std::unexpected(reason::kNegativeCount);
  }
  if (call.form != call.kCount && call.repeat_times < 0) {
    return std::unexpected(reason::kNegativeRepeat);
  }
  const auto mask = MaskOf(call, state.mask_register);
  if (!mask) return std::unexpected(reason::kNoSuchLanes);

  const ElementwiseListing listing(call, *mask);
  const ElementwiseMemories places = MemoriesOf(call, state.product);
  const Extended can_run = CanRun({{kDst, places.dst, listing.dst},
                                   {kSrc0, places.src0, listing.src0},
                                   {kSrc1, places.src1, listing.src1}},
                                  listing.iterations, state.memories);
  if (!can_run) return can_run;
  ExecuteListing(OperationOf<Tag>(), call.dtype, listing, places, state);
  LeaveMask(call, *mask, state);
  return {};
}

}  // namespace lanediff::oracle

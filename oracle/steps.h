#pragma once

#include <concepts>

#include "isa/resource.h"
#include "isa/rule.h"
#include "isa/state.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

/// The three functions of every step. Their specialisations are in the file of
/// the step, those of calls in oracle/oracle.cc.
namespace lanediff::oracle {

/// Runs the step, or returns the rules that forbid it.
template <class Step>
isa::StepResult Run(const Step& step, Oracle::State& state);

/// The reject rules that the step breaks, each judged by itself.
template <class Step>
isa::RuleSet BrokenAnywhere(const Step& step, const Oracle::State& state);

/// Runs the step whatever it breaks, as far as its bytes lie in their memories.
template <class Step>
Extended RunExtended(const Step& step, Oracle::State& state);

/// The same three of the calls of a family, in the family's file.
struct CallFunctions {
  isa::StepResult (*run)(const isa::Call& call, Oracle::State& state);
  isa::RuleSet (*broken_anywhere)(const isa::Call& call,
                                  const Oracle::State& state);
  Extended (*run_extended)(const isa::Call& call, Oracle::State& state);
};
extern const CallFunctions kLaneCalls;  ///< lane-wise ones and reductions
extern const CallFunctions kCopyCalls;
extern const CallFunctions kTransposeCalls;
extern const CallFunctions kBroadcastCalls;
extern const CallFunctions kTileCalls;

/// Steps that every product has: they break nothing.
template <class Step>
concept AlwaysLegal =
    std::same_as<Step, isa::SetVectorMask> ||
    std::same_as<Step, isa::PipeBarrier> || std::same_as<Step, isa::SetFlag> ||
    std::same_as<Step, isa::WaitFlag> || std::same_as<Step, isa::Resource>;
isa::RuleSet BrokenAnywhere(const AlwaysLegal auto&, const Oracle::State&) {
  return {};
}
Extended RunExtended(const AlwaysLegal auto& step, Oracle::State& state) {
  Run(step, state);
  return {};
}

/// Steps of STATE-MASK-PRODUCT.
template <class Step>
concept MaskStep =
    std::same_as<Step, isa::SetMaskCount> ||
    std::same_as<Step, isa::SetMaskNorm> || std::same_as<Step, isa::ResetMask>;
bool HasMaskSteps(isa::Product product);
isa::RuleSet BrokenByMaskStep(const Oracle::State& state);
isa::RuleSet BrokenAnywhere(const MaskStep auto&, const Oracle::State& state) {
  return BrokenByMaskStep(state);
}
isa::StepResult Run(const MaskStep auto& step, Oracle::State& state) {
  const isa::RuleSet broken = BrokenByMaskStep(state);
  if (broken.empty()) RunExtended(step, state);
  return isa::StepResult::FromBroken(broken);
}

}  // namespace lanediff::oracle

#pragma once

#include <concepts>

#include "isa/rule.h"
#include "isa/state.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

/// The steps that set machine state.
namespace lanediff::oracle {

isa::StepResult Run(const isa::SetVectorMask& step, Oracle::State& state);
isa::StepResult Run(const isa::SetSaturation& step, Oracle::State& state);
isa::StepResult Run(const isa::PipeBarrier& step, Oracle::State& state);
isa::StepResult Run(const isa::SetFlag& step, Oracle::State& state);
isa::StepResult Run(const isa::WaitFlag& step, Oracle::State& state);
isa::StepResult Run(const isa::SetMaskCount& step, Oracle::State& state);
isa::StepResult Run(const isa::SetMaskNorm& step, Oracle::State& state);
isa::StepResult Run(const isa::ResetMask& step, Oracle::State& state);

/// Steps that every product has: they break nothing.
template <class Step>
concept AlwaysLegal =
    std::same_as<Step, isa::SetVectorMask> ||
    std::same_as<Step, isa::PipeBarrier> || std::same_as<Step, isa::SetFlag> ||
    std::same_as<Step, isa::WaitFlag>;
/// Those of STATE-MASK-PRODUCT.
template <class Step>
concept MaskStep =
    std::same_as<Step, isa::SetMaskCount> ||
    std::same_as<Step, isa::SetMaskNorm> || std::same_as<Step, isa::ResetMask>;

/// The reject rules that a step breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::SetSaturation& step,
                            const Oracle::State& state);
isa::RuleSet BrokenByMaskStep(const Oracle::State& state);
isa::RuleSet BrokenAnywhere(const MaskStep auto&, const Oracle::State& state) {
  return BrokenByMaskStep(state);
}
isa::RuleSet BrokenAnywhere(const AlwaysLegal auto&, const Oracle::State&) {
  return {};
}

/// Sets the state, on products that cannot too.
Extended RunExtended(const isa::SetSaturation& step, Oracle::State& state);
Extended RunExtended(const isa::SetMaskCount& step, Oracle::State& state);
Extended RunExtended(const isa::SetMaskNorm& step, Oracle::State& state);
Extended RunExtended(const isa::ResetMask& step, Oracle::State& state);
Extended RunExtended(const AlwaysLegal auto& step, Oracle::State& state) {
  Run(step, state);
  return {};
}

}  // namespace lanediff::oracle

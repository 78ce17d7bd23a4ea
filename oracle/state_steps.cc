#include "oracle/state_steps.h"

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {

isa::StepResult Run(const isa::SetVectorMask& step, Oracle::State& state) {
  state.mask_register = MaskOfWords(step.high, step.low);
  return {};
}

isa::StepResult Run(const isa::SetSaturation& step, Oracle::State& state) {
  const isa::RuleSet broken = BrokenAnywhere(step, state);
  if (broken.empty()) state.saturation = step.enabled;
  return isa::StepResult::FromBroken(broken);
}

isa::StepResult Run(const isa::PipeBarrier& step, Oracle::State& state) {
  std::erase_if(state.copies, [&](const CopyUnderWay& copy) {
    return step.pipe == isa::Pipe::kAll || copy.pipe == step.pipe;
  });
  return {};
}

isa::RuleSet BrokenAnywhere(const isa::SetVectorMask&, const Oracle::State&) {
  return {};
}

isa::RuleSet BrokenAnywhere(const isa::SetSaturation& step,
                            const Oracle::State& state) {
  const bool can_switch_off = state.product == isa::Product::kAtlasA2 ||
                              state.product == isa::Product::kAtlasA3;
  isa::RuleSet broken;
  broken.AddIf(!step.enabled && !can_switch_off,
               isa::state::kSaturationProduct);
  return broken;
}

isa::RuleSet BrokenAnywhere(const isa::PipeBarrier&, const Oracle::State&) {
  return {};
}

Extended RunExtended(const isa::SetVectorMask& step, Oracle::State& state) {
  Run(step, state);
  return {};
}

Extended RunExtended(const isa::SetSaturation& step, Oracle::State& state) {
  state.saturation = step.enabled;
  return {};
}

Extended RunExtended(const isa::PipeBarrier& step, Oracle::State& state) {
  Run(step, state);
  return {};
}

}  // namespace lanediff::oracle

#include "oracle/state_steps.h"

#include <cstdint>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/pipe_tables.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {

using isa::Product;
using isa::RuleSet;
using isa::StepResult;

StepResult Run(const isa::SetVectorMask& step, Oracle::State& state) {
  state.mask_register = MaskOfWords(step.high, step.low);
  return {};
}

// ---- STATE-SATURATION -------------------------------------------------------

RuleSet BrokenAnywhere(const isa::SetSaturation& step,
                       const Oracle::State& state) {
  const bool can_switch_off =
      state.product == Product::kAtlasA2 || state.product == Product::kAtlasA3;
  RuleSet broken;
  broken.AddIf(!step.enabled && !can_switch_off,
               isa::state::kSaturationProduct);
  return broken;
}

Extended RunExtended(const isa::SetSaturation& step, Oracle::State& state) {
  state.saturation = step.enabled;
  return {};
}

StepResult Run(const isa::SetSaturation& step, Oracle::State& state) {
  const RuleSet broken = BrokenAnywhere(step, state);
  if (broken.empty()) RunExtended(step, state);
  return StepResult::FromBroken(broken);
}

// ---- What orders copies -----------------------------------------------------

StepResult Run(const isa::PipeBarrier& step, Oracle::State& state) {
  state.copies.Barrier(step.pipe);
  return {};
}

namespace {

StepResult NotesOfFlag(std::int64_t id, const Oracle::State& state) {
  StepResult result;
  result.notes.AddIf(IsReservedFlagId(state.product, id),
                     isa::sync::kFlagReserved);
  return result;
}

}  // namespace

StepResult Run(const isa::SetFlag& step, Oracle::State& state) {
  state.copies.SetFlag(step);
  return NotesOfFlag(step.id, state);
}

StepResult Run(const isa::WaitFlag& step, Oracle::State& state) {
  state.copies.WaitFlag(step);
  return NotesOfFlag(step.id, state);
}

// ---- STATE-MASK-PRODUCT, STATE-MASK-MODE ------------------------------------

RuleSet BrokenByMaskStep(const Oracle::State& state) {
  const Product product = state.product;
  const bool has_mask_steps = product == Product::kAtlasInferenceAicore ||
                              product == Product::kAtlasA2 ||
                              product == Product::kAtlasA3 ||
                              product == Product::kAtlas200i500A2;
  RuleSet broken;
  broken.AddIf(!has_mask_steps, isa::state::kMaskProduct);
  return broken;
}

Extended RunExtended(const isa::SetMaskCount&, Oracle::State& state) {
  state.counter_mode = true;
  return {};
}

Extended RunExtended(const isa::SetMaskNorm&, Oracle::State& state) {
  state.counter_mode = false;
  return {};
}

Extended RunExtended(const isa::ResetMask&, Oracle::State& state) {
  state.mask_register = LaneMask().set();
  return {};
}

namespace {

StepResult RunMaskStep(const MaskStep auto& step, Oracle::State& state) {
  const RuleSet broken = BrokenByMaskStep(state);
  if (broken.empty()) RunExtended(step, state);
  return StepResult::FromBroken(broken);
}

}  // namespace

StepResult Run(const isa::SetMaskCount& step, Oracle::State& state) {
  return RunMaskStep(step, state);
}
StepResult Run(const isa::SetMaskNorm& step, Oracle::State& state) {
  return RunMaskStep(step, state);
}
StepResult Run(const isa::ResetMask& step, Oracle::State& state) {
  return RunMaskStep(step, state);
}

}  // namespace lanediff::oracle

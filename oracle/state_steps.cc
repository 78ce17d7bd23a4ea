#include <cstdint>

#include "isa/rule.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/pipe_tables.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {

using isa::Product;
using isa::RuleSet;
using isa::StepResult;

template <>
StepResult Run(const isa::SetVectorMask& step, Oracle::State& state) {
  state.mask_register = MaskOfWords(step.high, step.low);
  return {};
}

// ---- STATE-SATURATION -------------------------------------------------------

template <>
RuleSet BrokenAnywhere(const isa::SetSaturation& step,
                       const Oracle::State& state) {
  const bool can_switch_off =
      state.product == Product::kAtlasA2 || state.product == Product::kAtlasA3;
  RuleSet broken;
  broken.AddIf(!step.enabled && !can_switch_off,
               isa::state::kSaturationProduct);
  return broken;
}

template <>
Extended RunExtended(const isa::SetSaturation& step, Oracle::State& state) {
  state.saturation = step.enabled;
  return {};
}

template <>
StepResult Run(const isa::SetSaturation& step, Oracle::State& state) {
  const RuleSet broken = BrokenAnywhere(step, state);
  if (broken.empty()) RunExtended(step, state);
  return StepResult::FromBroken(broken);
}

// ---- What orders copies -----------------------------------------------------

template <>
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

template <>
StepResult Run(const isa::SetFlag& step, Oracle::State& state) {
  state.copies.SetFlag(step);
  return NotesOfFlag(step.id, state);
}

template <>
StepResult Run(const isa::WaitFlag& step, Oracle::State& state) {
  state.copies.WaitFlag(step);
  return NotesOfFlag(step.id, state);
}

// ---- STATE-MASK-PRODUCT, STATE-MASK-MODE ------------------------------------

bool HasMaskSteps(Product product) {
  return product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
         product == Product::kAtlas200i500A2;
}

RuleSet BrokenByMaskStep(const Oracle::State& state) {
  RuleSet broken;
  broken.AddIf(!HasMaskSteps(state.product), isa::state::kMaskProduct);
  return broken;
}

template <>
Extended RunExtended(const isa::SetMaskCount&, Oracle::State& state) {
  state.counter_mode = true;
  return {};
}

template <>
Extended RunExtended(const isa::SetMaskNorm&, Oracle::State& state) {
  state.counter_mode = false;
  return {};
}

template <>
Extended RunExtended(const isa::ResetMask&, Oracle::State& state) {
  state.mask_register = LaneMask().set();
  return {};
}

}  // namespace lanediff::oracle

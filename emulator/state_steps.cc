#include "emulator/state_steps.h"

#include <vector>

namespace lanediff::emulator {
namespace {

using isa::Product;
using isa::StepResult;

StepResult SetVectorMask(const isa::SetVectorMask& step, State& state) {
  state.mask_register = {.low = step.low, .high = step.high};
  return {};
}

StepResult SetSaturation(const isa::SetSaturation& step, State& state) {
  isa::RuleSet broken;
  broken.AddIf(!step.enabled && state.product != Product::kAtlasA2 &&
                   state.product != Product::kAtlasA3,
               isa::state::kSaturationProduct);
  if (broken.empty()) state.saturation = step.enabled;
  return StepResult::FromBroken(broken);
}

StepResult PipeBarrier(const isa::PipeBarrier& step, State& state) {
  std::erase_if(state.copies_under_way, [&](const CopyUnderWay& copy) {
    return step.pipe == isa::Pipe::kAll || step.pipe == copy.pipe;
  });
  return {};
}

}  // namespace

constinit const StateSeams kStateSteps = {.set_vector_mask = SetVectorMask,
                                          .set_saturation = SetSaturation,
                                          .pipe_barrier = PipeBarrier};

}  // namespace lanediff::emulator

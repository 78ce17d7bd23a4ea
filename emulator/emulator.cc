#include "emulator/emulator.h"

#include <variant>

namespace lanediff::emulator {
namespace {

/// One overload for each step type; a new instruction adds one line.
struct Dispatch {
  State& state;
  const Seams& seams;

  isa::StepResult operator()(const isa::SetVectorMask& s) const {
    state.mask_register = {.low = s.low, .high = s.high};
    return {};
  }
  isa::StepResult operator()(const isa::SetSaturation& s) const {
    isa::RuleSet broken;
    broken.AddIf(!s.enabled && state.product != isa::Product::kAtlasA2 &&
                     state.product != isa::Product::kAtlasA3,
                 isa::state::kSaturationProduct);
    if (broken.empty()) state.saturation = s.enabled;
    return isa::StepResult::FromBroken(broken);
  }
  isa::StepResult operator()(const isa::PipeBarrier&) const { return {}; }
  isa::StepResult operator()(const isa::RepeatReduceSum& s) const {
    return Run(s, seams.repeat_reduce_sum, state);
  }
};

}  // namespace

Emulator::Emulator(isa::Product product, isa::Memories memories,
                   const Seams& seams)
    : state_{.product = product, .memories = memories}, seams_(seams) {}

isa::StepResult Emulator::Execute(const isa::Step& step) {
  return std::visit(Dispatch{state_, seams_}, step);
}

}  // namespace lanediff::emulator

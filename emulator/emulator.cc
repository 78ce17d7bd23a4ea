#include "emulator/emulator.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "emulator/carried.h"
#include "emulator/vector/vectors.h"

namespace lanediff::emulator {
namespace {

/// One overload for each step type.
struct Dispatch {
  State& state;
  const Seams& seams;

  isa::StepResult operator()(const isa::SetVectorMask& s) const {
    return seams.state.set_vector_mask(s, state);
  }
  isa::StepResult operator()(const isa::SetSaturation& s) const {
    return seams.state.set_saturation(s, state);
  }
  isa::StepResult operator()(const isa::PipeBarrier& s) const {
    return seams.state.pipe_barrier(s, state);
  }
  isa::StepResult operator()(const isa::SetFlag& s) const {
    return seams.state.set_flag(s, state);
  }
  isa::StepResult operator()(const isa::WaitFlag& s) const {
    return seams.state.wait_flag(s, state);
  }
  isa::StepResult operator()(const isa::SetMaskCount& s) const {
    return seams.state.set_mask_count(s, state);
  }
  isa::StepResult operator()(const isa::SetMaskNorm& s) const {
    return seams.state.set_mask_norm(s, state);
  }
  isa::StepResult operator()(const isa::ResetMask& s) const {
    return seams.state.reset_mask(s, state);
  }
  isa::StepResult operator()(const isa::GetValue& s) const {
    return seams.state.get_value(s, state);
  }
  isa::StepResult operator()(const isa::SetValue& s) const {
    return seams.state.set_value(s, state);
  }
  isa::StepResult operator()(const isa::Carried& s) const {
    return Replay(s, state);
  }
  isa::StepResult operator()(const isa::Resource& s) const {
    SetUp(s, state);
    return {};
  }
  isa::StepResult operator()(const isa::Call& s) const {
    return VisitRow(seams, *s.signature,
                    [&](const auto& row) { return Run(s, row, state); });
  }
};

/// STATE-MASK-MODE: whether the step's mask would be a number of elements.
bool IsMasked(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->IsMasked();
}

}  // namespace

Seams SeamsOf(VectorTarget target) {
  const auto index = static_cast<std::size_t>(target);
  Seams seams;
  UseVectors(target, seams.lanewise);
  const auto use = [index](auto& rows, const auto& by_target) {
    for (auto& row : rows) row.vectors = by_target[index];
  };
  use(seams.reductions, kReduceSumByTarget);
  for (const isa::Signature& row : isa::kReductionRows) {
    const bool orders = row.Has(isa::Param::kReduceOrder);
    if (row.group == isa::Group::kIteration && !orders) continue;
    ReductionIn(seams, row).vectors = kReduceGroupsByTarget[index];
  }
  use(seams.copies, kDataCopyByTarget);
  use(seams.transposes, kVecTransByTarget);
  use(seams.broadcasts, kBrcbByTarget);
  use(seams.tiles, kTrowprodByTarget);
  return seams;
}

const Seams& FastestSeams() {
  static const Seams seams = SeamsOf(BestTarget());
  return seams;
}

bool HasVectors(const Seams& seams) {
  return std::ranges::any_of(isa::kSignatures, [&](const auto& signature) {
    return VisitRow(seams, signature,
                    [](const auto& row) { return row.vectors != nullptr; });
  });
}

Emulator::Emulator(isa::Profile profile, isa::Memories memories,
                   const Seams& seams)
    : state_{.product = profile.product,
             .edition = profile.edition,
             .memories = memories},
      seams_(seams) {}

void Emulator::MakeSpaceFor(std::size_t steps) {
  state_.copies_under_way.reserve(steps);
  state_.flags.reserve(steps);
}

isa::StepResult Emulator::Execute(const isa::Step& step) {
  isa::StepResult result =
      state_.counter_mode && IsMasked(step)
          ? isa::StepResult{.status = isa::StepResult::Status::kUnsupported,
                            .rules = {},
                            .notes = {}}
          : std::visit(Dispatch{state_, seams_}, step);
  if (result.status == isa::StepResult::Status::kExecuted) {
    result.notes.AddIf(seams_.state.reaches_reserved(step, state_),
                       isa::state::kUbReserved);
  }
  ++state_.step;
  return result;
}

}  // namespace lanediff::emulator

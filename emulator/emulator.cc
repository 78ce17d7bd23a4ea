#include "emulator/emulator.h"

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
  template <isa::Intrinsic Call>
  isa::StepResult operator()(const Call& s) const {
    return Run(s, RowIn(seams, s), state);
  }
};

/// STATE-MASK-MODE: calls whose mask would be a number of elements.
struct IsMasked {
  bool operator()(const isa::RepeatReduceSum&) const { return true; }
  bool operator()(const isa::WholeReduceSum&) const { return true; }
  bool operator()(const isa::Call& s) const {
    return s.form != isa::kCountForm;
  }
  bool operator()(const auto&) const { return false; }
};

}  // namespace

Seams SeamsOf(VectorTarget target) {
  const auto index = static_cast<std::size_t>(target);
  Seams seams;
  UseVectors(target, seams.lanewise);
  seams.data_copy.vectors = kDataCopyByTarget[index];
  seams.trowprod.vectors = kTrowprodByTarget[index];
  seams.vec_trans.vectors = kVecTransByTarget[index];
  seams.repeat_reduce_sum.vectors = kReduceSumByTarget[index];
  seams.whole_reduce_sum.vectors = kReduceSumByTarget[index];
  return seams;
}

const Seams& FastestSeams() {
  static const Seams seams = SeamsOf(BestTarget());
  return seams;
}

bool HasVectors(const Seams& seams) {
  bool some = false;
  isa::ForEachIntrinsic([&](const auto& kind) {
    some = some || RowIn(seams, kind).vectors != nullptr;
  });
  return some;
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
      state_.counter_mode && std::visit(IsMasked(), step)
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

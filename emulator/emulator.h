#pragma once

#include <concepts>
#include <cstddef>

#include "emulator/data_copy.h"
#include "emulator/lanewise.h"
#include "emulator/reduce_sum.h"
#include "emulator/state.h"
#include "emulator/state_steps.h"
#include "emulator/trowprod.h"
#include "emulator/vec_trans.h"
#include "emulator/vector/target.h"
#include "isa/memories.h"
#include "isa/step.h"

/// The emulator: fast, written from the documents' units and formulas. Every
/// instruction is four seams in a row, legality → address plan → kernel →
/// write-back, each a function that a caller may replace.
namespace lanediff::emulator {

/// One row of seams for the steps that set machine state and one for each
/// instruction; the plain implementation.
struct Seams {
  StateSeams state = kStateSteps;
  LanewiseRows lanewise = kLanewise;       ///< by place in isa::kLanewiseRows
  ReductionRows reductions = kReductions;  ///< in isa::kReductionRows
  DataCopySeams data_copy = kDataCopy;
  TrowprodSeams trowprod = kTrowprod;
  VecTransSeams vec_trans = kVecTrans;
};

/// The row of an instruction of the family among `seams`.
auto& LanewiseIn(auto& seams, const isa::Signature& signature) {
  return seams.lanewise[isa::PlaceOf(signature)];
}
auto& ReductionIn(auto& seams, const isa::Signature& signature) {
  return seams.reductions[isa::PlaceOf(signature)];
}

/// The row of a call of an instruction without a signature.
template <isa::Intrinsic Call>
auto& RowIn(auto& seams, const Call&) {
  if constexpr (std::same_as<Call, isa::DataCopy>) {
    return seams.data_copy;
  } else if constexpr (std::same_as<Call, isa::Trowprod>) {
    return seams.trowprod;
  } else {
    static_assert(std::same_as<Call, isa::VecTrans>);
    return seams.vec_trans;
  }
}

/// The plain seams with the vector kernels of `target`, which runs here.
Seams SeamsOf(VectorTarget target);

/// The seams of the best target.
const Seams& FastestSeams();

/// Whether some instruction computes with vectors.
bool HasVectors(const Seams& seams);

/// Executes the steps of one program on memories and with seams that the caller
/// owns.
class Emulator {
 public:
  Emulator(isa::Profile profile, isa::Memories memories,
           const Seams& seams = FastestSeams());
  Emulator(isa::Profile profile, isa::Memories memories,
           Seams&& seams) = delete;

  /// Makes space for what the machine state keeps of `steps` steps. Up to so
  /// many are then executed without any allocation.
  void MakeSpaceFor(std::size_t steps);

  /// Executes `step` or, if it breaks a reject rule, changes nothing and
  /// returns the rules that it breaks.
  isa::StepResult Execute(const isa::Step& step);

  /// Which ways the calls so far took.
  const PathCounts& paths() const { return state_.paths; }

 private:
  State state_;
  const Seams& seams_;
};

}  // namespace lanediff::emulator

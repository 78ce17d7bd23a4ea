#pragma once

#include <array>
#include <cstddef>

#include "emulator/brcb.h"
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
/// instruction, by its place among those of its family; the plain
/// implementation.
struct Seams {
  StateSeams state = kStateSteps;
  LanewiseRows lanewise = kLanewise;
  ReductionRows reductions = kReductions;
  std::array<DataCopySeams, isa::kCopyRows.size()> copies = {kDataCopy,
                                                             kDataCopy};
  std::array<VecTransSeams, isa::kTransposeRows.size()> transposes = {
      kVecTrans};
  std::array<BrcbSeams, isa::kBroadcastRows.size()> broadcasts = {kBrcb};
  std::array<TrowprodSeams, isa::kTileRows.size()> tiles = {kTrowprod};
};
static_assert(isa::kCopyRows.size() == 2 && isa::kTransposeRows.size() == 1 &&
                  isa::kBroadcastRows.size() == 1 && isa::kTileRows.size() == 1,
              "each instruction needs its plain seams");

/// The row of an instruction of the family among `seams`.
auto& LanewiseIn(auto& seams, const isa::Signature& signature) {
  return seams.lanewise[isa::PlaceOf(signature)];
}
auto& ReductionIn(auto& seams, const isa::Signature& signature) {
  return seams.reductions[isa::PlaceOf(signature)];
}
auto& CopyIn(auto& seams, const isa::Signature& signature) {
  return seams.copies[isa::PlaceOf(signature)];
}
auto& TransposeIn(auto& seams, const isa::Signature& signature) {
  return seams.transposes[isa::PlaceOf(signature)];
}
auto& BroadcastIn(auto& seams, const isa::Signature& signature) {
  return seams.broadcasts[isa::PlaceOf(signature)];
}
auto& TileIn(auto& seams, const isa::Signature& signature) {
  return seams.tiles[isa::PlaceOf(signature)];
}

/// `visit` of the row of an instruction of any family.
auto VisitRow(auto& seams, const isa::Signature& signature, auto visit) {
  switch (signature.family) {
    case isa::Family::kLanewise:
      return visit(LanewiseIn(seams, signature));
    case isa::Family::kReduction:
      return visit(ReductionIn(seams, signature));
    case isa::Family::kCopy:
      return visit(CopyIn(seams, signature));
    case isa::Family::kTranspose:
      return visit(TransposeIn(seams, signature));
    case isa::Family::kBroadcast:
      return visit(BroadcastIn(seams, signature));
    case isa::Family::kTile:
      break;
  }
  return visit(TileIn(seams, signature));
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

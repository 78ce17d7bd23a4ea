// vec_trans: the seam of vectors, in the place of kernel and write-back.

#include <span>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::vt;
using emulator::Path;
using Plan = emulator::VecTransPlan;
using Ub = std::span<std::uint8_t>;

constexpr int kSide = 16;
constexpr int kQuarter = 8;

Path Real(const Plan& plan, Ub ub) {
  return emulator::FastestSeams().vec_trans.vectors(plan, ub);
}

Mutant Computed(const Label& label, emulator::VecTransVectors vectors) {
  return Plant(isa::VecTrans::kSlug, &emulator::Seams::vec_trans,
               &emulator::VecTransSeams::vectors, vectors, label);
}

bool InPlace(const Plan& plan) { return plan.src.begin == plan.dst.begin; }

/// Swaps the quarters of a block of `dst` that are not on its diagonal.
void SwapQuarters(std::int64_t block, Ub ub) {
  const auto at = [&](int row, int column) {
    return block + 2 * (row * kSide + column);
  };
  for (int row = 0; row < kQuarter; ++row) {
    for (int column = kQuarter; column < kSide; ++column) {
      const std::int64_t upper = at(row, column);
      const std::int64_t lower = at(row + kQuarter, column - kQuarter);
      const auto moved = emulator::Load<std::uint16_t>(ub, upper);
      emulator::Store(ub, upper, emulator::Load<std::uint16_t>(ub, lower));
      emulator::Store(ub, lower, moved);
    }
  }
}

}  // namespace

Table VecTransVectorKernels() {
  return {
      Computed({"vt-vectors-quarters-stay", rule::kTranspose,
                "vectors transpose four blocks of 8 x 8 where they lie",
                "three shuffles in the place of four"},
               [](const Plan& plan, Ub ub) {
                 const Path path = Real(plan, ub);
                 for (std::int64_t r = 0; r < plan.dst.count; ++r) {
                   SwapQuarters(plan.dst.begin + r * plan.dst.stride, ub);
                 }
                 return path;
               }),
      Computed({"vt-vectors-in-place-once", rule::kInOrder,
                "vectors transpose a block in place once, however often it is "
                "requested"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 if (InPlace(plan) && plan.src.stride == 0) {
                   other.src.count = other.dst.count = 1;
                 }
                 return Real(other, ub);
               }),
      Computed({"vt-vectors-last-one-lost", rule::kInOrder,
                "vectors write the first of several blocks with dst stride 0"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 if (!InPlace(plan) && plan.dst.stride == 0) {
                   other.src.count = other.dst.count = 1;
                 }
                 return Real(other, ub);
               }),
  };
}

}  // namespace lanediff::mutants

// TROWPROD: the seam of vectors, in the place of kernels and write-back.

#include <span>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::trp;
using emulator::Path;
using Plan = emulator::TrowprodPlan;
using Ub = std::span<std::uint8_t>;

Path Real(const Plan& plan, Ub ub) {
  return emulator::FastestSeams().trowprod.vectors(plan, ub);
}

Mutant Computed(const Label& label, emulator::TrowprodVectors vectors) {
  return Plant(isa::Trowprod::kSlug, &emulator::Seams::trowprod,
               &emulator::TrowprodSeams::vectors, vectors, label);
}

/// `cols` without what is left of whole DataBlocks, if there is one.
std::int64_t WholeBlocks(const Plan& plan) {
  const std::int64_t lanes =
      emulator::kBlockBytes / emulator::ElementBytes(plan.dtype);
  return plan.cols < lanes ? plan.cols : plan.cols - plan.cols % lanes;
}

}  // namespace

Table TrowprodVectorKernels() {
  return {
      Computed({"trp-vectors-tail-columns-lost", rule::kAddress,
                "vectors multiply whole DataBlocks of a row and leave out the "
                "columns behind them",
                "a loop over whole vectors without its remainder"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 other.cols = WholeBlocks(plan);
                 return Real(other, ub);
               }),
      Computed({"trp-vectors-last-rows-lost", rule::kAddress,
                "vectors multiply rows in pairs and leave out an odd last one "
                "of several"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 if (plan.rows > 1) other.rows -= plan.rows % 2;
                 return Real(other, ub);
               }),
      Computed({"trp-vectors-padding-multiplied", rule::kAddress,
                "vectors multiply the columns up to the next DataBlock too"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 const std::int64_t lanes =
                     emulator::kBlockBytes / emulator::ElementBytes(plan.dtype);
                 other.cols = (plan.cols + lanes - 1) / lanes * lanes;
                 return Real(other, ub);
               }),
      Computed({"trp-vectors-register-lanes", rule::kOrder,
                "vectors multiply in the order of registers where the "
                "documented one is requested"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 if (plan.order == isa::Order::kDocumented) {
                   other.order = isa::Order::kRegisterLanes;
                 }
                 return Real(other, ub);
               }),
  };
}

}  // namespace lanediff::mutants

#include "mutants/mutant.h"

#include <algorithm>

#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

Table All() {
  return Joined(
      ProgramSteps(), RepeatReduceSumLegality(), RepeatReduceSumPlans(),
      RepeatReduceSumOrders(), RepeatReduceSumArithmetic(),
      RepeatReduceSumWriteBacks(), RepeatReduceSumVectorKernels(),
      MinLegality(), MinOverlaps(), MinPlans(), MinKernels(), MinWriteBacks(),
      MinVectorKernels(), DataCopyLegality(), DataCopyOverlaps(),
      DataCopyPlans(), DataCopyKernels(), DataCopyWriteBacks(),
      DataCopyVectorKernels(), TrowprodLegality(), TrowprodPlans(),
      TrowprodOrders(), TrowprodArithmetic(), TrowprodWriteBacks(),
      TrowprodVectorKernels(), VecTransLegality(), VecTransPlans(),
      VecTransKernels(), VecTransWriteBacks(), VecTransVectorKernels());
}

}  // namespace

std::span<const Mutant> Mutants() {
  static const Table all = All();
  return all;
}

const Mutant* FindMutant(std::string_view name) {
  const auto found = std::ranges::find(Mutants(), name, &Mutant::name);
  return found == Mutants().end() ? nullptr : &*found;
}

}  // namespace lanediff::mutants

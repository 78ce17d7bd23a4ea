#include "mutants/mutant.h"

#include <algorithm>

#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

Table All() {
  return Joined(RepeatReduceSumLegality(), RepeatReduceSumPlans(),
                RepeatReduceSumOrders(), RepeatReduceSumArithmetic(),
                RepeatReduceSumWriteBacks(), MinLegality(), MinOverlaps(),
                MinPlans(), MinKernels(), MinWriteBacks(), DataCopyLegality(),
                DataCopyOverlaps(), DataCopyPlans(), DataCopyKernels(),
                DataCopyWriteBacks(), TrowprodLegality(), TrowprodPlans(),
                TrowprodOrders(), TrowprodArithmetic(), TrowprodWriteBacks(),
                VecTransLegality(), VecTransPlans(), VecTransKernels(),
                VecTransWriteBacks());
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

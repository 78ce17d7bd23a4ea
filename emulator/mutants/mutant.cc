#include "emulator/mutants/mutant.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

/// Where a mutant of `slug` stands in the list: steps that set machine state
/// first, then the intrinsics in the order of their steps.
int PlaceOf(std::string_view slug) {
  int place = 0;
  for (const isa::Call& kind : isa::CallKinds()) {
    ++place;
    if (kind.signature->slug == slug) return place;
  }
  return 0;
}

Table All() {
  Table all = Joined(
      ProgramSteps(), FlagSteps(), Reductions(), Lanewise(), DataCopyLegality(),
      DataCopyOverlaps(), DataCopyPlans(), DataCopyKernels(),
      DataCopyWriteBacks(), DataCopyVectorKernels(), PaddedCopies(),
      TrowprodLegality(), TrowprodPlans(), TrowprodOrders(),
      TrowprodArithmetic(), TrowprodWriteBacks(), TrowprodVectorKernels(),
      VecTransLegality(), VecTransPlans(), VecTransKernels(),
      VecTransWriteBacks(), VecTransVectorKernels(), Broadcasts());
  std::map<int, Table> slugs;
  for (Mutant& mutant : all) {
    slugs[PlaceOf(mutant.slug)].push_back(std::move(mutant));
  }
  all.clear();
  for (auto& [place, of_slug] : slugs) {
    std::ranges::move(of_slug, std::back_inserter(all));
  }
  return all;
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

std::string DefectOf(const Mutant& mutant) {
  std::string_view family = mutant.slug;
  for (const isa::Signature& row : isa::kSignatures) {
    if (row.slug != mutant.slug) continue;
    if (row.family == isa::Family::kLanewise) family = "elementwise";
    if (row.family == isa::Family::kReduction) family = "reduce_sum";
    if (row.family == isa::Family::kCopy) family = "data_copy";
  }
  const std::string_view name = mutant.name;
  return std::string(family) + "/" +
         std::string(name.substr(name.find('-') + 1));
}

std::size_t CountDefects() {
  std::set<std::string> all;
  for (const Mutant& mutant : Mutants()) all.insert(DefectOf(mutant));
  return all.size();
}

}  // namespace lanediff::mutants

#include "emulator/mutants/defects.h"

#include <set>
#include <string_view>
#include <type_traits>

#include "isa/step.h"

namespace lanediff::mutants {

std::string DefectOf(const Mutant& mutant) {
  std::string_view family = mutant.slug;
  isa::ForEachIntrinsic([&]<class Call>() {
    if (Call::kSlug != mutant.slug) return;
    if (isa::Elementwise<Call>) family = "elementwise";
    if (std::is_same_v<Call, isa::RepeatReduceSum> ||
        std::is_same_v<Call, isa::WholeReduceSum>) {
      family = "reduce_sum";
    }
  });
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

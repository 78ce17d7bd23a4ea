#include "differential/targets/mutants.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "differential/targets/emulators.h"
#include "emulator/mutants/mutant.h"

namespace lanediff::diff {

FoundTarget FindMutantTarget(std::string_view name) {
  static const std::vector<std::unique_ptr<Target>> targets = [] {
    std::vector<std::unique_ptr<Target>> all;
    for (const mutants::Mutant& mutant : mutants::Mutants()) {
      all.push_back(EmulatorWith(
          mutant.seams, fmt::format("{}{}", kMutantPrefix, mutant.name),
          mutant.defect));
    }
    return all;
  }();
  for (const auto& target : targets) {
    if (target->name() == name) return target.get();
  }
  return std::unexpected(
      fmt::format("no mutant \"{}\"; \"lanediff list mutants\" names them",
                  name.substr(kMutantPrefix.size())));
}

}  // namespace lanediff::diff

#include "diff/targets/find_target.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "case/json.h"
#include "diff/recorded/target.h"
#include "diff/targets/emulators.h"
#include "diff/the_oracle.h"
#include "mutants/mutant.h"

namespace lanediff::diff {
namespace {

constexpr std::string_view kMutantPrefix = "mutant:";

std::expected<const Target*, std::string> FindMutantTarget(
    std::string_view name) {
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

}  // namespace

std::vector<const Target*> BuiltInTargets() {
  std::vector<const Target*> all;
  for (const auto& target : Emulators()) all.push_back(target.get());
  all.push_back(&TheOracle());
  return all;
}

std::expected<const Target*, std::string> FindTarget(std::string_view name) {
  if (name.starts_with(kMutantPrefix)) return FindMutantTarget(name);
  if (name.starts_with(kRecordedPrefix)) return FindRecordedTarget(name);
  std::string known;
  for (const Target* target : BuiltInTargets()) {
    if (target->name() == name) return target;
    known += fmt::format("{}, ", target->name());
  }
  if (auto why = WhyNotHere(name)) return std::unexpected(std::move(*why));
  return std::unexpected(
      fmt::format("no target \"{}\"; {}mutant:NAME and recorded:DIR are there",
                  Quote(name), known));
}

std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name) {
  auto target = FindTarget(name);
  if (target && (*target)->recording() != nullptr) {
    return std::unexpected(fmt::format(
        "{} only has the outcomes of cases that were run elsewhere; a target "
        "that runs any case is allowed here",
        Quote(name, 200)));
  }
  return target;
}

}  // namespace lanediff::diff

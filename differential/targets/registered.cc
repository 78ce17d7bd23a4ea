#include "differential/targets/registered.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

std::vector<std::unique_ptr<Target>>& Registered() {
  static std::vector<std::unique_ptr<Target>> targets;
  return targets;
}

bool IsTaken(std::string_view name) {
  for (const TargetKind& kind : TargetKinds()) {
    if (name.starts_with(kind.prefix)) return true;
  }
  return FindRegistered(name) != nullptr;
}

}  // namespace

void RegisterTarget(std::unique_ptr<Target> target) {
  const std::string_view name = target->name();
  if (name.empty()) throw std::invalid_argument("a target without a name");
  if (IsTaken(name)) {
    throw std::invalid_argument(
        fmt::format("a target called \"{}\": the name is taken, or begins like "
                    "those of another kind",
                    Quote(name)));
  }
  Registered().push_back(std::move(target));
}

const Target* FindRegistered(std::string_view name) {
  for (const auto& target : Registered()) {
    if (target->name() == name) return target.get();
  }
  return nullptr;
}

std::vector<const Target*> RegisteredTargets() {
  std::vector<const Target*> targets;
  for (const auto& target : Registered()) targets.push_back(target.get());
  return targets;
}

}  // namespace lanediff::diff

#include "differential/targets/find_target.h"

#include <fmt/format.h>

#include "differential/targets/registered.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {

std::expected<const Target*, std::string> FindTarget(std::string_view name) {
  if (const Target* const own = FindRegistered(name)) return own;
  for (const TargetKind& kind : TargetKinds()) {
    if (name.starts_with(kind.prefix)) return kind.find(name);
  }
  return NoSuchTarget(name);
}

std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name) {
  auto target = FindTarget(name);
  if (target && !(*target)->runs_any_case()) {
    return std::unexpected(fmt::format(
        "{} only has the outcomes of cases that were run elsewhere; a target "
        "that runs any case is allowed here",
        Quote(name, 200)));
  }
  return target;
}

std::expected<const StepwiseTarget*, std::string> FindStepwiseTarget(
    std::string_view name) {
  const auto target = FindRunningTarget(name);
  if (!target) return std::unexpected(target.error());
  if (const StepwiseTarget* const steps = (*target)->stepwise()) return steps;
  return std::unexpected(
      fmt::format("{} only answers whole cases; a target that goes step by "
                  "step is allowed here",
                  Quote(name, 200)));
}

}  // namespace lanediff::diff

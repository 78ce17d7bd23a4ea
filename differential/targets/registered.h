#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"

/// Targets of programs that link lanediff: they have the names that they give
/// themselves.
namespace lanediff::diff {

/// From now on `target->name()` finds `target`, which lives as long as the
/// process. Before the first verb is run. Throws std::invalid_argument if the
/// name is empty, taken, or begins as another kind's names do.
void RegisterTarget(std::unique_ptr<Target> target);

/// The registered target called `name`, or null.
const Target* FindRegistered(std::string_view name);

std::vector<const Target*> RegisteredTargets();

}  // namespace lanediff::diff

#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "differential/targets/target.h"

/// Targets by their names on the command line;
/// differential/targets/target_kind.h has the table of what there is.
namespace lanediff::diff {

/// The target spelt `name`. The error is one line that lists what there is, or
/// where to look.
std::expected<const Target*, std::string> FindTarget(std::string_view name);

/// The same, but an error for a target that only has outcomes of given cases:
/// for those who make or change cases.
std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name);

/// The same, but an error also for a target that only answers whole cases: for
/// references, and for those who change memory between steps.
std::expected<const StepwiseTarget*, std::string> FindStepwiseTarget(
    std::string_view name);

/// From now on `target->name()` finds `target`, which lives as long as the
/// process: a target of a program that links lanediff. Before the first verb is
/// run. Throws std::invalid_argument if the name is empty, taken, or begins as
/// another kind's names do.
void RegisterTarget(std::unique_ptr<Target> target);

/// The oracle as a target: the reference, and what expectations are made by.
const StepwiseTarget& TheOracle();

}  // namespace lanediff::diff

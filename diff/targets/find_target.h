#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "diff/target.h"

/// Targets by their names on the command line.
namespace lanediff::diff {

/// The targets that can be named without an argument of their own.
std::vector<const Target*> BuiltInTargets();

/// The target spelt `name`: a built-in one, `mutant:NAME`, or `recorded:DIR`.
/// The error is one line that says what there is, or where to look.
std::expected<const Target*, std::string> FindTarget(std::string_view name);

/// The same, but an error for a target that only has outcomes of given cases:
/// for references, and for those who make or change cases.
std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name);

}  // namespace lanediff::diff

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/targets/target.h"

namespace lanediff::diff {

inline constexpr std::string_view kExecPrefix = "exec:";

/// The target `exec:COMMAND`, a program that speaks `lanediff-target/1`; one
/// for each spelling, which lives as long as the process. It is started here,
/// to hear what it can do. The error is one line. May be called from several
/// threads.
std::expected<const Target*, std::string> FindExecTarget(std::string_view name);

}  // namespace lanediff::diff

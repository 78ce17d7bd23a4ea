#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/targets/target.h"

namespace lanediff::diff {

inline constexpr std::string_view kPluginPrefix = "plugin:";

/// The target `plugin:PATH`, a library with the C ABI of
/// lanediff/plugin.h, in a process of its own; one for
/// each spelling, which lives as long as the process. It is loaded there to
/// hear what it can do. The error is one line. May be called from several
/// threads.
std::expected<const Target*, std::string> FindPluginTarget(
    std::string_view name);

}  // namespace lanediff::diff

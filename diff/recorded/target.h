#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "diff/target.h"

namespace lanediff::diff {

inline constexpr std::string_view kRecordedPrefix = "recorded:";

/// The target `recorded:DIR`, one for each spelling, which lives as long as the
/// process. The error is one line. May be called from several threads.
std::expected<const Target*, std::string> FindRecordedTarget(
    std::string_view name);

}  // namespace lanediff::diff

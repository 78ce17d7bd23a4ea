#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"

namespace lanediff::diff {

inline constexpr std::string_view kRecordedPrefix = "recorded:";

/// The target `recorded:DIR`, one for each spelling, which lives as long as the
/// process. The error is one line. May be called from several threads.
std::expected<const Target*, std::string> FindRecordedTarget(
    std::string_view name);

/// The ids of the cases that the recorded target `name` has outcomes of, of
/// those that begin with `folder` and a slash; nothing of another target.
std::optional<std::vector<std::string>> RecordedIds(std::string_view name,
                                                    std::string_view folder);

}  // namespace lanediff::diff

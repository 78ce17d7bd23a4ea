#pragma once

namespace lanediff::cli {

/// Exit statuses; with mixed results the order of precedence is 1, 3, 2, 0.
inline constexpr int kAgree = 0;
inline constexpr int kDisagreement = 1;
inline constexpr int kUsage =
    2;  ///< wrong usage, malformed case, nothing compared
inline constexpr int kTargetFailed = 3;

}  // namespace lanediff::cli

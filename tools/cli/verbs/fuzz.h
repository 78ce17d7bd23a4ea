#pragma once

#include <optional>
#include <string>

#include "reports/baseline.h"
#include "reports/record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

/// What went wrong when fuzz programs ran.
struct FuzzTroubles {
  bool failed = false;      ///< a program failed for another reason than this:
  bool unwritten = false;   ///< something could not be saved
  bool unreported = false;  ///< something disagreed that is in no finding
};

/// What a run prints behind the lines of its fuzz programs.
std::string FuzzRatesText(const reports::RunRecord& run);

/// How `fuzz` ends, of one run or of merged shards: prints what follows the
/// lines of fuzz programs and cases, kept in `out`, writes the requested
/// reports and returns the exit status.
int FinishFuzz(reports::RunRecord& run, FuzzTroubles troubles,
               const std::string& out,
               const std::optional<reports::RunBaseline>& baseline,
               const ReportFiles& files);

}  // namespace lanediff::cli

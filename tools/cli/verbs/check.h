#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

class ExaminedCases;

/// How `check` ends, whether it ran what it tells of or shards of it were
/// merged: prints what follows the lines of cases, writes the reports that were
/// requested and returns the exit status.
int FinishCheck(reports::RunRecord& run,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files,
                const ExaminedCases* examined = nullptr);

}  // namespace lanediff::cli

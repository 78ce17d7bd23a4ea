#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

class ExaminedCases;

/// How `check` ends, of one run or of merged shards: prints what follows the
/// lines of cases, writes the requested reports and returns the exit status.
int FinishCheck(reports::RunRecord& run,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files,
                const ExaminedCases* examined = nullptr);

}  // namespace lanediff::cli

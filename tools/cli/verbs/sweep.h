#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

/// How `sweep` ends, of one run or of merged shards: prints all, writes the
/// requested reports and returns the exit status. `part`: it is a shard's.
int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files);

}  // namespace lanediff::cli

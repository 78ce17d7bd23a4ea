#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

/// How `sweep` ends, whether it ran what it tells of or shards of it were
/// merged: prints all, writes the reports that were requested and returns the
/// exit status. `part` says that it is a shard's.
int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files);

}  // namespace lanediff::cli

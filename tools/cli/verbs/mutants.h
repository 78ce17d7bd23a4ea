#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/mutant_record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

/// How `mutants` ends, whether it ran what it tells of or shards of it were
/// merged: prints all, writes the reports that were requested and returns the
/// exit status.
int FinishMutants(reports::MutantsRecord& record,
                  const std::optional<reports::MutantsBaseline>& baseline,
                  const ReportFiles& files);

}  // namespace lanediff::cli

#pragma once

#include <optional>

#include "reports/baseline.h"
#include "reports/mutant_record.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

/// How `mutants` ends, of one run or of merged shards: prints all, writes the
/// requested reports and returns the exit status.
int FinishMutants(reports::MutantsRecord& record,
                  const std::optional<reports::MutantsBaseline>& baseline,
                  const ReportFiles& files);

}  // namespace lanediff::cli

#pragma once

#include <vector>

#include "reports/campaign.h"
#include "tools/history/database.h"
#include "tools/history/runs.h"

namespace lanediff::campaign {

/// Adds rates and coverage of fuzzing, by date. Bins once reached stay so while
/// the instruction has as many of them; where it has others, counting of bins
/// begins again, that of cases goes on.
void AddFigures(Database& database, const std::vector<Run>& runs,
                reports::CampaignRecord& record);

}  // namespace lanediff::campaign

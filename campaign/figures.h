#pragma once

#include <vector>

#include "campaign/database.h"
#include "campaign/runs.h"
#include "reports/campaign.h"

namespace lanediff::campaign {

/// Adds rates and coverage of fuzzing, by date. Bins once reached stay so while
/// the room has as many of them; where it has others, counting of bins begins
/// again, that of cases goes on.
void AddFigures(Database& database, const std::vector<Run>& runs,
                reports::CampaignRecord& record);

}  // namespace lanediff::campaign

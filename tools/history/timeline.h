#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/campaign.h"
#include "tools/history/database.h"
#include "tools/history/runs.h"

namespace lanediff::campaign {

/// The runs of one target on one date: what one of them sees, all of them see.
using Day = std::vector<const Run*>;

/// Runs in which the target failed at an instruction, by instruction; the other
/// findings there are unknown.
using Failing = std::map<std::string, std::set<const Run*>>;

/// Fills in `found` periods, state and counts of the finding with number `id`
/// from the days of its target, by date.
void Follow(std::int64_t id, const std::vector<Day>& days,
            const Failing& failing, std::uint64_t silent_days,
            reports::CampaignFinding& found);

/// Adds rates and coverage of fuzzing, by date. Bins once reached stay so while
/// the instruction has as many of them; where it has others, counting of bins
/// begins again, that of cases goes on.
void AddFigures(Database& database, const std::vector<Run>& runs,
                reports::CampaignRecord& record);

}  // namespace lanediff::campaign

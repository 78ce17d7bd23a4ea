#pragma once

#include <cstdint>
#include <vector>

#include "reports/campaign.h"
#include "tools/history/runs.h"

namespace lanediff::campaign {

/// The runs of one target on one date: what one of them sees, all of them see.
using Day = std::vector<const Run*>;

/// Fills in periods, state and counts of `found` from the days of its target,
/// by date.
void Follow(const std::vector<Day>& days, std::uint64_t silent_days,
            reports::CampaignFinding& found);

}  // namespace lanediff::campaign

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/campaign.h"
#include "tools/history/runs.h"

namespace lanediff::campaign {

/// The runs of one target on one date: what one of them sees, all of them see.
using Night = std::vector<const Run*>;

/// Runs in which the target failed at an instruction, by instruction: what else
/// it would have shown there nobody knows.
using Failing = std::map<std::string, std::set<const Run*>>;

/// Fills in `found` what the nights of its target, by date, tell of the finding
/// with number `id`: periods, state and counts.
void Follow(std::int64_t id, const std::vector<Night>& nights,
            const Failing& failing, std::uint64_t silent_nights,
            reports::CampaignFinding& found);

}  // namespace lanediff::campaign

#pragma once

#include <cstdint>
#include <string>

#include "reports/campaign.h"
#include "tools/history/database.h"

/// The state of each finding, day by day.
namespace lanediff::campaign {

struct HistoryOptions {
  /// Days of fuzzing in a row without a finding, with comparable numbers of
  /// cases, after which the finding is fixed.
  std::uint64_t silent_days = 3;
};

/// Everything that reports show, as it is at one moment. It depends on what was
/// added and not on the order, but for the commit and label of a run that was
/// added twice, which are those that came first. Throws a `DatabaseError`.
///
/// A finding, of one target, is open from the first run that saw it on. It is
/// fixed at the first date after it was seen last on which no run saw it and
/// one run proves that it is gone. Such a run is complete, of the same target
/// and reference, and of a verb that had seen it since it was open and was not
/// contradicted since:
/// - check: compared the case that showed it; so does a check of a case that
///   any other verb found, but not for findings of lint.
/// - mutants: hunted the planted bug to the end.
/// - sweep, exhaust, audit: looked at the instruction, with no smaller scope
///   (sample, legal cases only, products, spaces) than each run of that verb
///   that saw it last, with no more cases left out, and the target did not fail
///   at this instruction.
/// - fuzz: the same, and so did runs of `silent_days` days in a row, with at
///   least half as many cases of the instruction as that which saw it last. It
///   is fixed at the first of these.
reports::CampaignRecord ReadHistory(Database& database,
                                    const HistoryOptions& options);

/// The text of the case that `ReadHistory` shows of a finding; empty where none
/// is kept.
std::string KeptCase(Database& database, const reports::CampaignFinding& found);

}  // namespace lanediff::campaign

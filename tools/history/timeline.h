#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "reports/campaign.h"
#include "tools/history/document.h"

namespace lanediff::campaign {

/// What one run saw of one finding.
struct Seen {
  std::string signature = {};
  std::uint64_t times = 0;
  bool known = false;          ///< accepted as a known issue
  std::string case_name = {};  ///< of the smallest case

  static void Fields(auto& s, auto& v) {
    LANEDIFF_REQUIRED(v, s.signature, s.times, s.known);
    v.Required("case", s.case_name);
  }
};

/// A run, as history looks at it, and as the database gives it.
struct Run {
  reports::CampaignRun shown = {};
  std::string reference = {};
  Scope scope = {};
  std::vector<Seen> seen = {};          ///< sorted by signature
  std::vector<Compared> compared = {};  ///< sorted by instruction
  std::string case_hashes = {};
  /// Instructions at which the target failed: its other findings there are
  /// unknown.
  std::set<std::string> failed = {};
  /// Of check and mutants: of the cases that ever showed something those that
  /// this run compared.
  std::set<std::string> case_names = {};

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.shown.date, r.shown.verb, r.shown.target,
                      r.shown.commit, r.shown.label, r.shown.unfinished,
                      r.shown.cases, r.shown.nodes, r.shown.seconds,
                      r.reference, r.scope, r.seen, r.compared, r.case_hashes);
  }
};

/// The runs of one target on one date: what one of them sees, all of them see.
using Day = std::vector<const Run*>;

/// Fills in periods, state and counts of `found` from the days of its target,
/// by date.
void Follow(const std::vector<Day>& days, std::uint64_t silent_days,
            reports::CampaignFinding& found);

}  // namespace lanediff::campaign

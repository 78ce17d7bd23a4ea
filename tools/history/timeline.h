#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

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
    v.Required("signature", s.signature);
    v.Required("times", s.times);
    v.Required("known", s.known);
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
    v.Required("date", r.shown.date);
    v.Required("verb", r.shown.verb);
    v.Required("target", r.shown.target);
    v.Required("commit", r.shown.commit);
    v.Required("label", r.shown.label);
    v.Required("unfinished", r.shown.unfinished);
    v.Required("cases", r.shown.cases);
    v.Required("nodes", r.shown.nodes);
    v.Required("seconds", r.shown.seconds);
    v.Required("reference", r.reference);
    v.Required("scope", r.scope);
    v.Required("seen", r.seen);
    v.Required("compared", r.compared);
    v.Required("caseHashes", r.case_hashes);
  }
};

/// The runs of one target on one date: what one of them sees, all of them see.
using Day = std::vector<const Run*>;

/// Fills in periods, state and counts of `found` from the days of its target,
/// by date.
void Follow(const std::vector<Day>& days, std::uint64_t silent_days,
            reports::CampaignFinding& found);

}  // namespace lanediff::campaign

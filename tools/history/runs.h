#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/campaign.h"
#include "tools/history/database.h"
#include "tools/history/scope.h"

/// The runs of a campaign, as history looks at them.
namespace lanediff::campaign {

/// What one run saw of one finding.
struct Seen {
  std::uint64_t times = 0;
  bool known = false;          ///< accepted as a known issue
  std::string case_name = {};  ///< of the smallest case
};

/// How many cases a run compared of an instruction.
struct Compared {
  std::optional<std::int64_t> cases = {};  ///< absent: it compared none
  std::int64_t left_out = 0;               ///< no evidence of silence
};

struct Run {
  reports::CampaignRun shown = {};
  std::string reference = {};
  Scope scope = {};
  std::map<std::string, Compared> compared = {};  ///< by instruction
  std::map<std::string, Seen> seen = {};          ///< by signature
  /// Instructions at which the target failed: its other findings there are
  /// unknown.
  std::set<std::string> failed = {};
  /// Of check and mutants: of the cases that ever showed something those that
  /// this run compared.
  std::set<std::string> case_names = {};
};

/// By date, then by what they are: never by the order of adding. Shards of one
/// identity and date are one run; those that ended on two days, around
/// midnight, too, where the days complement each other. Where they don't, whole
/// runs beside them prove nothing either. A merged run beside its own shards
/// counts once: of the same day, or of the evening on which they began, with
/// the same sums, findings and scope.
///
/// Leaves temporary tables for more queries: `whole` (runs), `part` (their
/// documents), `seen` (findings of a run), `compared` (instructions of a run).
std::vector<Run> LoadRuns(Database& database);

}  // namespace lanediff::campaign

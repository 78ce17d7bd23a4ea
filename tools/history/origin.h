#pragma once

#include <expected>
#include <string>

#include "tools/history/history.h"

/// The commits between which a finding began, by the runs of a campaign.
namespace lanediff::campaign {

struct Origin {
  std::string target;     ///< on which it was found
  std::string reference;  ///< that it was compared with last
  std::string case_text;  ///< its smallest case; empty: none was kept
  /// Of the last run that looked for it without seeing it, before it was seen
  /// first, or came back; empty: no such run, or its commit is unknown.
  std::string good;
  std::string bad;  ///< of the run that saw it first, or again; likewise
};

/// Of the finding `signature` on `target`, or on the only one on which it was
/// found. The error is one line. Throws a `DatabaseError`.
std::expected<Origin, std::string> OriginOf(Database& database,
                                            const HistoryOptions& options,
                                            const std::string& signature,
                                            const std::string& target);

}  // namespace lanediff::campaign

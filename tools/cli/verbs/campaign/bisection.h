#pragma once

#include <string>

#include "tools/history/history.h"

/// `lanediff campaign bisect SIGNATURE`: the commit where a finding began. `git
/// bisect` chooses commits, in a working tree of their own; the repository's
/// own trees stay as they are.
namespace lanediff::cli {

struct Verb;

struct BisectOptions {
  std::string signature;  ///< as `campaign list` prints it
  std::string build;      ///< shell command
  std::string good;       ///< commit without it; empty: as the campaign has it
  std::string bad;        ///< commit with it; empty: as the campaign has it
  std::string repository = ".";
  std::string of;         ///< target of the campaign; empty: the only one
  std::string target;     ///< that is queried; empty: on which it was found
  std::string run;        ///< shell words of a lanediff; empty: this one
  std::string case_file;  ///< empty: the case that the campaign has kept

  bool operator==(const BisectOptions&) const = default;
};

/// All but `signature`.
void AddBisect(Verb& verb, BisectOptions& options);

/// Of the campaign in `folder`. Exit status 0: the commit is named; 2: it is
/// not, and a line has the reason. Throws a `campaign::DatabaseError`.
int RunBisect(const std::string& folder, campaign::Database& database,
              const campaign::HistoryOptions& history,
              const BisectOptions& options);

}  // namespace lanediff::cli

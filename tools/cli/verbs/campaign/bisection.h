#pragma once

#include <string>

#include "tools/cli/work_folder.h"
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

/// Why no commit can be named, in one line.
struct BisectError {
  std::string why;
};

/// How to test whether the commit in a folder shows a finding, and between
/// which commits the first one lies.
struct Search {
  std::string signature = {};
  std::string build = {};    ///< shell command
  std::string program = {};  ///< shell words of the lanediff that replays
  std::string target = {};   ///< "{dir}" in it is the folder
  std::string reference = {};
  std::string repository = {};
  std::string case_file = {};  ///< absolute
  std::string good = {};
  std::string bad = {};
};

/// What a commit is found to be, in the word of git bisect: "good", "bad" or
/// "skip".
struct Answer {
  std::string word;
  std::string why = {};  ///< of one that is skipped
};

/// Builds in `folder`, which holds `commit`, replays the case twice and looks
/// for the signature. Throws a `BisectError` if the run was interrupted.
Answer BuildAndReplay(const Search& search, const std::string& commit,
                      const std::string& folder);

/// The whole name of the commit that `name` means in the repository. Throws a
/// `BisectError`.
std::string FindCommit(const std::string& repository, const std::string& name);

/// Tests commits until the one with which the finding began is named, and
/// prints a line for each. Answers are kept in `work` meanwhile: a search that
/// was killed goes on. Throws a `BisectError`.
void Bisect(const Search& search, const WorkFolder& work);

}  // namespace lanediff::cli

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "tools/cli/work_folder.h"
#include "tools/history/history.h"

/// The commits between a good and a bad one, in a working tree of their own:
/// `git bisect` chooses them, and the repository's own trees stay as they are.
namespace lanediff::cli {

/// Why no commit can be named, in one line.
struct BisectError {
  std::string why;
};

/// How to test whether the commit in a folder shows a finding.
struct Question {
  std::string signature;
  std::string case_file;  ///< absolute
  std::string build;      ///< shell command
  std::string program;    ///< shell words of the lanediff that replays
  std::string target;     ///< "{dir}" in it is the folder
  std::string reference;
};

/// The question, and the commits between which the answer lies.
struct Search {
  Question question;
  std::string good;  ///< full hash
  std::string bad;   ///< full hash
  std::string case_text;
};

/// Judges commits of `repository` until the one with which the finding began is
/// named, and prints a line for each. Answers are kept in `work` meanwhile: a
/// search that was killed goes on. The status; throws a `BisectError`.
int Bisect(const Search& search, const WorkFolder& work,
           const std::string& repository);

/// What is known of a commit.
enum class Standing : std::uint8_t { kGood, kBad, kSkip };
/// The words of git bisect for them, in their order.
inline constexpr const char* kStandings[] = {"good", "bad", "skip"};

/// What a commit is, for people.
struct CommitLines {
  std::string hash;
  std::string subject;
  std::string author;
  std::string date;  ///< YYYY-MM-DD
  std::vector<std::string> parents;
};

/// But for `Find`, all throw a `BisectError`.
class Candidates {
 public:
  /// Of the repository that holds the folder `repository`. Nothing is made
  /// yet: the tree will be the folder `tree`, and what git prints goes to the
  /// file `log`.
  Candidates(std::string repository, std::string tree, std::string log);
  /// Removes the tree.
  ~Candidates();
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// The whole name of what `name` means there; the error is a line.
  std::expected<std::string, std::string> Find(const std::string& name);
  CommitLines Describe(const std::string& commit);

  /// Makes the tree, and removes those that killed runs left beside it, in
  /// which what they had started may still be at work.
  void Make(const std::string& commit);
  /// Puts `commit` into the tree; files that git does not know stay.
  void Take(const std::string& commit);

  /// The next step of `git bisect`.
  struct Next {
    std::string commit;  ///< to be looked at; it is in the tree
    std::string first;   ///< the first bad one; else empty
    /// Where good and bad part, if it was skipped: then the first bad one may
    /// be there or before it.
    std::string unsure;
    std::vector<std::string>
        among;  ///< it is one of these, all skipped but one
  };
  Next Begin(const std::string& good, const std::string& bad);
  /// Marks a commit as good, bad or skipped.
  Next Mark(const std::string& commit, Standing standing);

 private:
  struct Output {
    int status = 0;
    std::string text;
  };
  Output Git(const std::string& folder, const std::vector<std::string>& words);
  Next Read(const Output& output);
  void Remove(const std::string& tree);

  std::string repository_;
  std::string tree_;
  std::string log_;
  std::string unsure_;  ///< as in `Next`
  bool made_ = false;
};

struct Answer {
  Standing standing = Standing::kSkip;
  std::string why;  ///< of one that is skipped
};

/// Builds in `folder`, which holds `commit`, replays the case twice and looks
/// for the signature; `log` gets what these print, `json` what they find.
/// Throws a `BisectError` if the run was interrupted.
Answer BuildAndReplay(const Question& question, const std::string& commit,
                      const std::string& folder, const std::string& log,
                      const std::string& json);

class Verb;

/// `lanediff campaign bisect SIGNATURE`: the commit where a finding began.
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
};

/// All but `signature`.
void AddBisect(Verb& verb, BisectOptions& options);

/// Whether any of them is given.
bool IsGiven(const BisectOptions& options);

/// Of the campaign in `folder`. Exit status 0: the commit is named; 2: it is
/// not, and a line has the reason. Throws a `campaign::DatabaseError`.
int RunBisect(const std::string& folder, campaign::Database& database,
              const campaign::HistoryOptions& history,
              const BisectOptions& options);

}  // namespace lanediff::cli

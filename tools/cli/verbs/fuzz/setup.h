#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/known_issues.h"
#include "differential/records/fuzz_stats.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/case.h"
#include "generators/guided/holes.h"
#include "reports/record.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"
#include "tools/cli/work_folder.h"

/// The parts of a run of fuzz.
namespace lanediff::cli {

struct FuzzOptions {
  std::string instruction;  ///< empty: all
  std::int64_t seconds = 300;
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::uint64_t seed = 0;
  std::string shard;  ///< "i/n"; empty: from the environment, else all
  TargetOptions target;
  std::string edition;  ///< of every case; empty: each input's own
  std::string corpus = "corpus";
  std::string out = "out";
  /// List of known issues; empty: known_issues.json in the corpus, if any.
  std::string known_issues;
  std::string fuzzers;    ///< folder of the fuzz programs; empty: look for it
  std::string character;  ///< JSON of characterise; empty: none
  ReportFiles files;
};

/// Fuzz programs that were found.
struct Fuzzers {
  std::string prefix;                     ///< of their paths
  std::vector<std::string> instructions;  ///< sorted

  /// The program's path.
  std::string Program(const std::string& instruction) const {
    return prefix + instruction;
  }
};

/// This program; as it was called where no link names it.
std::string SelfProgram();

/// The programs that `options` request; throws an `Exit` without them.
Fuzzers FindFuzzers(const FuzzOptions& options);

/// Where a run reads and writes. In OUT, which may be anybody's folder and may
/// be shared by the shards of a run, things are only added: findings/ what is
/// reported, unconfirmed/ what did not show again, fuzz-corpus/ inputs that
/// programs keep. Everything else is in a folder of the run's own,
/// OUT/lanediff-fuzz or OUT/lanediff-fuzz-I-of-N: raw/ findings before
/// triage, artifacts/ inputs that ended a program, seeds/, logs/.
class FuzzFolders {
 public:
  /// Makes them, and sees that they can be written to. Takes up what runs
  /// before it left: a whole run what any other left that is not running, too.
  /// Throws an `Exit` where they can't.
  static FuzzFolders Make(const std::string& out, Shard shard);

  /// As the user spelled it, or with "./" before a "-".
  const std::string& out() const { return out_; }
  /// Paths in OUT, and in the run's own folder.
  std::string In(const std::string& name) const;
  std::string Own(const std::string& name) const { return own_.In(name); }
  const WorkFolder& own() const { return own_; }

 private:
  FuzzFolders(std::string out, WorkFolder own);
  std::expected<void, std::string> MakeAll() const;
  void TakeOver(const std::string& folder) const;

  std::string out_;
  WorkFolder own_;
};

/// The files whose paths begin with `prefix`, which has a folder, and end with
/// `suffix`, sorted.
std::vector<std::string> FilesIn(const std::string& prefix,
                                 std::string_view suffix = "");

/// `path`, or where something is there "STEM-2.EXTENSION", "-3" and so on.
std::string FreePath(const std::string& path);

/// What all parts of a run share.
struct FuzzSetup {
  const FuzzOptions& options;
  Fuzzers fuzzers;
  FuzzFolders folders;
};

/// Makes the seeds again: every case of `corpus` as fuzzer bytes, and as it is
/// for the program that fuzzes the reader. Bytes are of `edition`, if one is
/// given. Files that are no cases are left out, with a line each on stderr.
/// Throws an `Exit` where they can't be made.
void MakeSeeds(const std::string& corpus, const std::string& edition,
               const FuzzFolders& folders);

/// The folder of the seeds for `instruction`'s program, in the run's own.
std::string SeedsFor(const std::string& instruction);

/// The cases of `corpus` that can be read, by `edition`; empty: by their own.
/// Others are left out, with a line each on stderr.
std::vector<make::coverage::Fillers::Known> KnownCases(
    const std::string& corpus, const std::string& edition);

/// The functional coverage of `instructions`, as far as they have bins, by the
/// names of those that were `reached`; empty where there are none. Each hole
/// comes with a case that fills it or the reason why none can, if a search of
/// some seconds finds one.
std::vector<reports::CoverageRecord> CoverageOf(
    const FuzzOptions& options, const std::vector<std::string>& instructions,
    const std::set<std::string>& reached);

/// How a trial ended.
enum class TrialEnd {
  kShows,     ///< the finding shows again
  kAgrees,    ///< it does not
  kCrashes,   ///< the process ended by a signal, hung, or had status 3
  kNotTried,  ///< no such file or program, or an interrupt
};

struct Trial {
  TrialEnd end = TrialEnd::kNotTried;
  std::string line;  ///< of its output, the report of a failure or the last
};

/// Whether lint and its model differ: lint replays such a finding, and not the
/// target.
bool IsOfLint(const std::string& signature);

/// Replays the finding of `signature` in the case in `path`.
Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& signature);

/// Shrinks the case in `path` to `out`, a target's for at most `seconds`;
/// whether it is there.
bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds,
                     const std::string& signature);

/// What a program shows that ends the target at its last step; `line` is of the
/// failure.
diff::Finding CrashOf(const FuzzSetup& setup, const Case& c,
                      const std::string& line);

/// An input that ends the target, cut to the steps that do.
struct Crash {
  Case c;  ///< with origin; without steps for the reader of cases
  diff::Finding finding;
  std::string input;    ///< the bytes for the fuzz program
  std::string program;  ///< that they are for
  bool is_case = true;  ///< false: `input` is text for the reader of cases
};

/// Runs the input that a fuzz program left in `path` once more, in a process of
/// its own. The error is one line: it does not end the program again, or there
/// is no such program.
std::expected<Crash, std::string> ConfirmCrash(const FuzzSetup& setup,
                                               const std::string& path);

/// What fuzz programs found and reached.
struct FuzzResult {
  std::map<std::string, std::uint64_t> counts = {};  ///< by signature
  std::set<std::string> bins = {};                   ///< by name
  // Of the code of a target that is a plugin; of others nothing.
  std::optional<std::uint64_t> counters = {};  ///< that it has
  std::set<std::uint64_t> places = {};         ///< counters that were reached

  void Merge(FuzzResult&& more);
};

/// One fuzz program's turn, and what it left.
struct Turn {
  reports::FuzzerRecord record;
  diff::Spawn program;
  std::string stats;      ///< file of fuzz/stats.h
  std::string artifacts;  ///< begins the paths of inputs that ended it
  double seconds = 0;     ///< that it may take
  unsigned runs = 0;
  bool unwritable = false;  ///< it could not write what it has to leave
  FuzzResult result;
};

/// A turn for each program, and more where there are more processors.
std::vector<Turn> MakeTurns(const FuzzSetup& setup, Shard shard,
                            std::uint64_t seed, std::size_t jobs);

/// Lets `jobs` threads take the turns until all are done. A program that an
/// input ended is started again with another seed, a few times at most. One
/// that does not end in its time (libFuzzer looks at the clock only after it
/// has read all inputs) is stopped, with a line on stderr.
void RunTurns(const FuzzSetup& setup, std::vector<Turn>& turns,
              std::size_t jobs);

/// What became of the raw findings.
struct Triaged {
  std::size_t unwritten = 0;    ///< could not be saved; their raw files stay
  std::set<std::string> taken;  ///< signatures that programs noted, looked at
};

/// Turns raw findings into reports, in numbered steps so that a kill at any
/// moment loses nothing:
///
/// 1. everything in raw/ and artifacts/ of the run's own folder is taken up,
///    of any earlier run;
/// 2. it is confirmed in a process of its own; what does not show again moves
///    to OUT/unconfirmed and is reported as not deterministic;
/// 3. the smallest confirmed case of a signature is shrunk, in a process of its
///    own, for some seconds;
/// 4. it becomes OUT/findings/SIGNATURE.json ("/" replaced by "-") unless a
///    smaller one is there; a file there that is no finding of that signature
///    stays, and ours gets a number;
/// 5. only then the raw files are removed.
///
/// Each signature is one case of `run`, printed with how often it was found by
/// `counts` and the command that shows it again. Raw files stay where the user
/// interrupts.
Triaged TriageFindings(const FuzzSetup& setup,
                       const std::map<std::string, std::uint64_t>& counts,
                       diff::KnownIssueFilter& known, reports::RunRecord& run);

}  // namespace lanediff::cli

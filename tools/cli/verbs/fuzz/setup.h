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
#include "reports/record.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"
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
  std::string program;    ///< how this program was called
  ReportFiles files;
};

/// Fuzz programs that were found, all in one folder.
struct Fuzzers {
  std::string folder;
  std::vector<std::string> instructions;  ///< sorted

  /// The program's path.
  std::string Program(const std::string& instruction) const;
};

/// This program.
std::string SelfProgram(const FuzzOptions& options);

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
  std::string Findings(const std::string& name = "") const;
  std::string Unconfirmed(const std::string& name) const;
  std::string Corpus(const std::string& instruction) const;
  std::string Raw(const std::string& name = "") const;
  std::string Artifacts(const std::string& name = "") const;
  std::string Logs(const std::string& name) const;
  const WorkFolder& own() const { return own_; }

 private:
  FuzzFolders(std::string out, WorkFolder own);
  std::expected<void, std::string> MakeAll() const;
  void TakeOver(const std::string& folder) const;

  std::string out_;
  WorkFolder own_;
};

/// The files in `folder` whose names end in `suffix`, sorted.
std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view suffix);

/// The files whose paths begin with `prefix`, which has a folder, sorted.
std::vector<std::string> FilesBeginningWith(const std::string& prefix);

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

/// The folder of the seeds for `instruction`'s program.
std::string SeedsFor(const std::string& instruction,
                     const FuzzFolders& folders);

/// Removes the inputs in `folder`, kept by an earlier run, that are not of this
/// version: their bytes would mean other cases now. Inputs are files that
/// libFuzzer named, by their hash. Prints how many there were.
void DropOtherVersions(const std::string& folder);

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

/// The program that replays a finding.
enum class Replayer {
  kTarget,  ///< the target of the options: `lanediff check`
  kLint,    ///< lint, beside its model: `lanediff lint --compare`
};

/// The replayer of a finding of `signature`.
Replayer ReplayerOf(const std::string& signature);

/// Replays the case in `path`.
Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     Replayer replayer);

/// Shrinks the case in `path` to `out`, a target's for at most `seconds`;
/// whether it is there.
bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds, Replayer replayer);

/// Runs fuzz program `program` on the one input in `path`; crashes or agrees.
Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path);

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

/// "LANEDIFF_FUZZ_TARGET=T PROGRAM INPUT" for `input` on disk.
std::string ReproduceCrash(const FuzzOptions& options, const Crash& crash,
                           const std::string& input);

/// How often each signature was found, from lines "count signature".
std::map<std::string, std::uint64_t> ReadCounts(const std::string& path);

/// What a program reached of the target's own code.
struct OwnCoverage {
  std::uint64_t counters = 0;  ///< that the target has
  std::set<std::uint64_t> reached;
};

/// From the file written by fuzz/guidance.h; nothing where there is none,
/// as the target is no plugin.
std::optional<OwnCoverage> ReadOwnCoverage(const std::string& path);

/// Adds `more` to `all`; both are of one target.
void Merge(std::optional<OwnCoverage> more, std::optional<OwnCoverage>& all);

/// The lines of the file: names of bins.
std::set<std::string> ReadBins(const std::string& path);

/// One fuzz program's turn, and what it left.
struct Turn {
  reports::FuzzerRecord record;
  diff::Spawn program;
  std::string stats;      ///< file of fuzz/stats.h
  std::string artifacts;  ///< begins the paths of inputs that ended it
  double seconds = 0;     ///< that it may take
  unsigned runs = 0;
  bool unwritable = false;  ///< it could not write what it has to leave
  /// How often each signature was found.
  std::map<std::string, std::uint64_t> counts;
  std::set<std::string> bins;      ///< reached, by name
  std::optional<OwnCoverage> own;  ///< of a plugin
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

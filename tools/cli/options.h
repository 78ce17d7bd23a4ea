#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/vocabulary.h"
#include "reports/record.h"
#include "tools/cli/command_line.h"

/// Options that several verbs have, in one wording.
namespace lanediff::cli {

/// Files that a run leaves besides its text; empty where none is requested.
struct ReportFiles {
  std::string json;
  std::string junit;
  std::string sarif;
  /// JSON of an earlier run of the same verb, to report changes since then.
  /// Read before anything is run.
  std::string baseline;
  std::string html;  ///< folder; its index.html is the report
};

/// All but `sarif`; without a baseline where the verb's JSON is none.
void AddReportFiles(Verb& verb, ReportFiles& files, bool has_baseline = true);

/// --html alone. What names a page, as older versions did, is written as such.
void AddPage(Verb& verb, std::string& html);

/// Of verbs that have findings.
void AddSarif(Verb& verb, ReportFiles& files);

/// Of verbs that can do a part of their work: "i/n"; empty means the part in
/// the environment, else all (tools/cli/shard.h).
void AddShard(Verb& verb, std::string& shard);

/// Of verbs that run the systematic cases: how many of each rule, 0: all; and
/// whether so many are enough.
void AddSample(Verb& verb, std::int64_t& cases, bool& is_meant);

/// In the place of an instruction: the steps that set machine state.
inline constexpr std::string_view kMachineState = "program";

/// --instruction; `into` becomes its short name, or one of `also`.
void AddInstruction(Verb& verb, std::string& into, const char* help,
                    std::vector<std::string_view> also = {});

void AddReference(Verb& verb, std::string& reference);

/// How many `what` at once, up to 1024; 0 means one for each processor
/// (`JobsOf`).
void AddJobs(Verb& verb, std::int64_t& jobs, const std::string& what);

/// The words of an enumeration, for an option that takes one of them.
template <class E>
std::vector<std::string> AllWords() {
  const auto& words = isa::Words<E>::kSpelling;
  return {words.begin(), words.end()};
}

/// --edition of verbs that make cases: which documents they are judged by.
void AddEdition(Verb& verb, std::string& edition);
/// Of verbs that read cases: which, instead of the case's own; empty: its own.
void AddCaseEdition(Verb& verb, std::string& edition);
/// The same, and --product.
void AddReadAs(Verb& verb, std::string& edition, std::string& product);

/// The positional argument of verbs that read one case, or several.
void AddCase(Verb& verb, std::string& path);
void AddCases(Verb& verb, std::vector<std::string>& paths);

/// --known-issues of verbs whose list is else found beside the cases.
void AddKnownIssues(Verb& verb, std::string& file, const char* where);

/// The edition of a word that one of the options took; the newest of none.
isa::Edition EditionOf(const std::string& word);

/// For commands: " --edition WORD" and " --product WORD", as far as given.
std::string ReadOption(const std::string& edition,
                       const std::string& product = "");

/// Judges `c` by `edition`, and as a case of `product`, if one is given. What a
/// case of another expects is left out.
void ReadAs(const std::string& edition, Case& c,
            const std::string& product = "");

/// --verbose: the text has all that there is, and is not cut to a screen.
bool& IsVerbose();
/// --quiet (`IsQuiet`) and --verbose, which prints `more`.
void AddVerbose(Verb& verb, const std::string& more);

/// Any seed at all.
void AddSeed(Verb& verb, std::uint64_t& seed, const char* help);

// The target of a verb: its options, how it is found, and what it comes to.

struct TargetOptions {
  std::string name = "emulator";
  double timeout_seconds = diff::TheOutsideOptions().timeout_seconds;
  std::int64_t max_restarts = diff::TheOutsideOptions().max_restarts;
  std::vector<std::string> ulp = {};  ///< `diff::AddUlpBound`
  bool legal_only = false;
  std::string product;  ///< of all cases; empty: any
  bool allow_unsupported = false;
};

/// --target and what goes with it.
void AddTarget(Verb& verb, TargetOptions& options,
               const char* help = "what is under test");

/// What goes with it alone.
void AddTargetLimits(Verb& verb, TargetOptions& options);

/// Of verbs that make cases.
void AddAnyNumber(Verb& verb);

/// Of verbs that run many cases and judge what comes out.
void AddLegalOnly(Verb& verb, TargetOptions& options);

/// Of verbs that make cases: those of one product.
void AddProduct(Verb& verb, TargetOptions& options);

/// Of verbs that compare: status 0 though claimed cases are unsupported.
void AddAllowUnsupported(Verb& verb, TargetOptions& options);

/// Of verbs whose report describes the target under test: what characterise
/// --json left, for its character.
void AddCharacter(Verb& verb, std::string& file);

/// Who is under test, with the character in `file`, if one is given; throws
/// an `Exit` where it can't be read.
reports::TargetRecord AboutTarget(const diff::Target& target,
                                  const std::string& file);

/// Which targets a verb takes: all, or those that run any case.
enum class Takes : std::uint8_t { kAny, kRunning };

/// `target` as far as the options narrow it.
const diff::Target& Narrow(const diff::Target& target,
                           const TargetOptions& options);

/// The target that was requested; ends the verb where there is none.
const diff::Target* FindTarget(const TargetOptions& options, Takes takes);

/// The same and the reference; of one side beside itself the message ends with
/// `why`.
struct Sides {
  const diff::Target* target;
  const diff::StepwiseTarget* reference;
};
Sides FindSides(const TargetOptions& options, const std::string& reference,
                Takes takes, const char* why);

/// Ends all processes of targets, for a process that is about to end itself.
void EndTargetsAtOnce();

/// The worse of two exit statuses: 1, 3, 2, 0.
int Worse(int a, int b);

/// Prints what a target that is not part of lanediff left undone, and lets its
/// processes end. Returns what the exit status comes to, which was `status`.
int FinishTarget(const diff::Target& target, int status);

/// Why a comparison without findings is no success: legal cases that the target
/// claims and does not support, unless they are allowed. Empty if there are
/// none.
std::string LackingOf(const diff::Target& target, const TargetOptions& options);

/// `FinishTarget` of a verb that compares: status 2 at best where the target
/// lacks what it claims.
int FinishComparison(const diff::Target& target, const TargetOptions& options,
                     int status);

/// Keeps the account of `target`, where there is one, for the printers; what it
/// lacks, unless that is allowed. That of a `part` of a run is kept even if it
/// is empty: the merged one counts all cases.
void KeepAccount(const diff::Target& target, const TargetOptions& options,
                 bool part, reports::RunRecord& run);

}  // namespace lanediff::cli

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The verbs of the command line, one function and one file each. Each prints
/// its results to stdout and diagnostics to stderr and returns the exit status.
namespace lanediff::cli {

/// Exit statuses; with mixed results the order of precedence is 1, 3, 2, 0.
inline constexpr int kAgree = 0;
inline constexpr int kDisagreement = 1;
inline constexpr int kUsage =
    2;  ///< wrong usage, malformed case, nothing compared
inline constexpr int kTargetFailed = 3;

/// Files that a run leaves besides its text; empty where none is asked for.
struct ReportFiles {
  std::string json;
  std::string junit;
  std::string sarif;
  /// JSON of an earlier run of the same verb, to be told what has changed since
  /// then; read before anything is run.
  std::string baseline;
  std::string html;  ///< folder; its index.html is the report
};

struct CheckOptions {
  std::vector<std::string> paths;
  std::string target = "emulator";
  std::string reference = "oracle";
  /// List of known issues; empty: known_issues.json at the top of each folder
  /// among `paths`, where there is one.
  std::string known_issues;
  std::int64_t jobs = 0;    ///< 0: one for each processor
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string out = "out";  ///< folder for what a shard leaves
  ReportFiles files;
};
int RunCheck(const CheckOptions& options);

struct ExecOptions {
  std::vector<std::string> paths;
  std::string target = "emulator";
  std::string out;  ///< folder for outcome documents; empty: print that of one
};
int RunExec(const ExecOptions& options);

struct ShrinkOptions {
  std::string path;
  std::string out;  ///< empty: NAME.shrunk.json beside NAME.json
  std::string target = "emulator";
  std::string reference = "oracle";
  std::int64_t candidates = 0;  ///< cases run at most; 0: the library's default
  double seconds = 0;           ///< 0: no limit
};
int RunShrink(const ShrinkOptions& options);

struct ExplainOptions {
  std::string path;
  std::string target = "emulator";
  std::string html;  ///< file for the case's page; empty: none
  bool all = false;
};
int RunExplain(const ExplainOptions& options);

struct FuzzOptions {
  std::string instruction;  ///< empty: all
  std::int64_t seconds = 300;
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::uint64_t seed = 0;
  std::string shard;  ///< "i/n"; empty: from the environment, else all
  std::string target = "emulator";
  std::string corpus = "corpus";
  std::string out = "out";
  /// List of known issues; empty: known_issues.json in the corpus, if any.
  std::string known_issues;
  std::string fuzzers;  ///< folder of the fuzz programs; empty: look for it
  std::string program;  ///< how this program was called
  ReportFiles files;
};
int RunFuzz(const FuzzOptions& options);

struct AuditOptions {
  std::string instruction;  ///< empty: all
  std::string product;      ///< empty: all
  std::string target = "emulator";
  std::string shard;      ///< "i/n"; empty: from the environment, else all
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::string baseline;   ///< audit.json of an earlier run; empty: none
  std::string out;        ///< new folder of the report
};
int RunAudit(const AuditOptions& options);

struct CoverageOptions {
  std::string instruction;  ///< empty: all
  std::string corpus = "corpus";
  std::uint64_t generated = 200'000;  ///< cases of each room, at most
  std::string out;   ///< folder for the cases that reach bins; empty: none
  std::string json;  ///< file; empty: none
};
int RunCoverage(const CoverageOptions& options);

struct SweepOptions {
  std::string instruction;  ///< empty: all
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string target = "emulator";
  std::string reference = "oracle";
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::string out = "out";
  ReportFiles files;
};
int RunSweep(const SweepOptions& options);

struct MutantsOptions {
  std::vector<std::string> names;     ///< empty: all
  std::string instruction;            ///< empty: all
  std::vector<std::string> checkers;  ///< empty: all
  bool every_checker = false;    ///< not only until one has found the mutant
  std::uint64_t cases = 20'000;  ///< budget of each checker and seed
  std::uint64_t seconds = 0;     ///< 0: no cap
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::string corpus = "corpus";
  std::string properties;   ///< program of the laws; empty: look for it
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string out = "out";  ///< folder for what a shard leaves
  ReportFiles files;
};
int RunMutants(const MutantsOptions& options);

struct MergeOptions {
  std::vector<std::string> folders;  ///< with what shards left
  std::string verb;                  ///< of which; empty: there is but one
  std::string baseline;              ///< JSON of an earlier run; empty: none
  std::string out;                   ///< new folder of the report
};
int RunMerge(const MergeOptions& options);

struct ConvertOptions {
  std::string in;
  std::string out;
};
int RunConvert(const ConvertOptions& options);

struct ExportOptions {
  std::string path;
  std::string as;   ///< ascendc, pto or tik; empty: the one that can say it
  std::string out;  ///< file; empty: stdout
};
int RunExport(const ExportOptions& options);

struct IndexOptions {
  std::string out;  ///< folder of a night
};
int RunIndex(const IndexOptions& options);

struct GenerateOptions {
  std::string instruction;      ///< empty: all
  std::int64_t count = 10'000;  ///< cases of each instruction
  std::uint64_t seed = 1;
  std::string style = "by-intent";
  bool check = false;        ///< run each on target and oracle
  bool until_found = false;  ///< check up to an instruction's first finding
  std::string target = "emulator";
  std::string out = "out";  ///< folder for findings
  std::string json;         ///< file; empty: none
};
int RunGenerate(const GenerateOptions& options);

struct ExhaustOptions {
  std::vector<std::string> spaces;
  bool list = false;      ///< print the spaces and run nothing
  std::string shard;      ///< "i/n"; empty: from the environment, else all
  std::string range;      ///< "A..B", numbers of calls; empty: all
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::string target = "emulator";
  std::string state;        ///< file; empty: one for each space below `out`
  std::string out = "out";  ///< folder for findings and states
  std::string json;         ///< file; empty: none
};
int RunExhaust(const ExhaustOptions& options);

struct ListOptions {
  std::string what;
  bool json = false;
  bool markdown = false;  ///< rules and disagreements only
};
int RunList(const ListOptions& options);

}  // namespace lanediff::cli

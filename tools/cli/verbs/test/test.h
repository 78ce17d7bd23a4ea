#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/run_source.h"
#include "tools/cli/shard.h"

/// `lanediff test`: cases of a source on target and reference. A source is a
/// file of this folder; what all do alike is in verbs/test.cc.
namespace lanediff::cli {

/// Options of all sources; each source has some of them.
struct TestOptions {
  std::string source;
  std::vector<std::string> names;  ///< PATH of files, SPACE of exhaustive
  TargetOptions target;
  std::string reference = "oracle";
  std::string instruction;  ///< empty: all
  std::string edition;      ///< empty: the cases' own, or the newest
  std::string product;      ///< as which files are run; empty: their own
  std::string known_issues;
  std::string character;   ///< JSON of characterise; empty: none
  std::int64_t cases = 0;  ///< random: of each instruction; boundary: of each
                           ///< rule, 0: all
  bool sample = false;     ///< --sample: less than all is enough
  std::uint64_t seed = 1;
  std::string style = "by-intent";
  bool check = false;        ///< random: run each on target and oracle
  bool until_found = false;  ///< random: up to an instruction's first finding
  bool list = false;         ///< exhaustive: print the spaces
  std::string range;         ///< exhaustive: "A..B"; empty: all calls
  std::string state;         ///< exhaustive: file; empty: one a space in `out`
  std::int64_t jobs = 0;     ///< 0: one for each processor
  std::string shard;         ///< "i/n"; empty: from the environment, else all
  std::string out = "out";   ///< folder of findings, states and shards
  ReportFiles files;
};

int TestFiles(const TestOptions& options);
int TestBoundary(const TestOptions& options);
int TestRandom(const TestOptions& options);
int TestExhaustive(const TestOptions& options);

/// Why a run that makes cases needs another target than the oracle.
inline constexpr const char* kItself =
    "the oracle can't be checked against itself";

/// A record of `verb` before anything is run.
reports::RunRecord NewRun(std::string_view verb, const TestOptions& options,
                          const diff::Target& target);

/// Gives the record of a case that was saved for a finding the id that the case
/// has in its file; what could not be saved is called by its id.
void NameByFile(std::string_view slug, reports::CaseRecord& record);

/// Counts a compared case in the sums of its kind, but for legal and rejected
/// ones.
void Count(const diff::Comparison& result, reports::SweepRecord& sums);

/// Writes the requested reports but JSON, of a source whose JSON has figures;
/// false, with a message, if one can't be written.
bool WriteFigureReports(const reports::RunRecord& run, ReportFiles files);

/// Ends a run that has a record: `finish` prints and writes it and returns the
/// status; a shard leaves it, with what `add` adds.
int EndRun(reports::RunRecord&& run, const TestOptions& options,
           const diff::Target& target, const Shard& shard,
           const std::function<int(reports::RunRecord&)>& finish,
           const std::function<void(reports::ShardRecord&)>& add);

}  // namespace lanediff::cli

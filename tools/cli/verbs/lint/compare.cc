// Lint against the model of bytes.

#include "sanitizer/compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/write_file.h"
#include "reports/headline.h"
#include "reports/reasons.h"
#include "reports/record.h"
#include "tools/cli/common.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/standard_output.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/lint/lint.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

struct CompareOptions {
  std::vector<std::string> paths;
  std::string edition;  ///< as which cases are read; empty: their own
  std::string product;  ///< likewise
  std::string out;      ///< file for the smallest case; empty: none
};

/// Looks at one file, and writes to --out, if that is not empty, what is made
/// of a difference; beside the record false, with a message, if it can't be
/// written.
std::pair<reports::CaseRecord, bool> CompareFile(
    const CasePath& path, const CompareOptions& options) {
  reports::CaseRecord record;
  record.path = path.path;
  record.verdict = Verdict::kMalformed;
  record.reproduce = ReproduceLintDifference(path.path) +
                     ReadOption(options.edition, options.product);
  auto c = path.error.empty() ? ReadCaseFile(path.path)
                              : std::unexpected(path.error);
  if (!c) {
    record.error = c.error();
    return {std::move(record), true};
  }
  ReadAs(options.edition, *c, options.product);
  bool written = true;
  const auto thrown = Thrown([&] {
    const auto compared = lint::Compare(*c);
    if (!compared) {
      record.verdict = Verdict::kUnsupported;
      record.reason = "beyond the model: " + compared.error();
      return;
    }
    record.verdict = *compared ? Verdict::kDisagree : Verdict::kAgree;
    if (!*compared) return;
    record.findings = {**compared};
    written = WriteTo(options.out, [&] {
      return WriteCase(lint::ShrinkDifference(*c, **compared, {}).shrunk);
    });
  });
  if (thrown) record.error = *thrown;
  return {std::move(record), written};
}

/// Prints what `run` came to over `done` cases; the status. `unfinished`: why
/// not all were looked at.
int FinishCompare(const reports::RunRecord& run, std::size_t done,
                  const std::string& unfinished, bool written,
                  const std::string& out) {
  fmt::print(
      "compared lint with the model of bytes on {}: {} agree, {} disagree, {} "
      "beyond the model, {} malformed\n",
      reports::Counted(done, "case"), run.agree, run.disagree, run.unsupported,
      run.malformed);
  if (!written) return kUsage;
  if (run.disagree > 0) return kDisagreement;
  if (!unfinished.empty()) return FailUsage(unfinished);
  if (run.agree == 0) return FailUsage("nothing was compared");
  if (!out.empty())
    return FailUsage("the two agree; there is nothing for --out");
  return run.unsupported + run.malformed > 0 ? kUsage : kAgree;
}

int CompareLint(const CompareOptions& options) {
  const std::string& out = options.out;
  std::error_code error;
  if (!out.empty() &&
      (options.paths.size() != 1 ||
       std::filesystem::is_directory(options.paths[0], error))) {
    return FailUsage("--out: expected one file as PATH, which is shrunk");
  }
  WatchInterrupt();
  reports::RunRecord run;
  bool written = true;
  bool ended = true;
  const auto files = FindCases(options.paths);
  CaseLines lines;
  std::size_t done = 0;
  std::optional<Progress> progress(files.size());
  for (; done < files.size() && !Interrupted(); ++done) {
    progress->Step(done, run.disagree);
    // A case, and what is made of a difference, may take long.
    auto compared = UnlessInterrupted(
        [&file = files[done], &options] { return CompareFile(file, options); });
    ended = compared.has_value();
    if (!ended) break;
    auto& [record, kept] = *compared;
    written = kept && written;
    lines.Add(record);
    run.Add(std::move(record));
  }
  progress.reset();
  const std::string unfinished =
      done < files.size()
          ? fmt::format("interrupted after {} of {} cases", done, files.size())
          : "";
  fmt::print("{}{}", IncompleteText(reports::ReasonsFrom({unfinished})),
             lines.Text());
  const int status = FinishCompare(run, done, unfinished, written, out);
  if (ended) return status;
  RemoveTemporaryFile();
  _exit(FinishStandardOutput(status));
}

}  // namespace

void AddLintCompare(CommandLine& line) {
  auto [verb, options] = line.Add(
      "lint --compare",
      "hold lint itself against the oracle's model of hazards, byte by byte: a "
      "difference is a bug of lanediff",
      CompareLint);
  AddCases(verb, options.paths);
  AddReadAs(verb, options.edition, options.product);
  verb.Add("-o,--out FILE", options.out,
           "of the one PATH the smallest case that differs in the same way; "
           "may be PATH itself");
  AddVerbose(verb, "the lines of every case");
  verb.Docs("lint.md", {{"lint --compare corpus/program/both-sums-agree.json"},
                        {"lint --compare corpus/program/both-sums-agree.json "
                         "--verbose"}});
}

}  // namespace lanediff::cli

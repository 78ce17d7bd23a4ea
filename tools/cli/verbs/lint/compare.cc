// Lint against the model of bytes.

#include "sanitizer/compare.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_writer.h"
#include "reports/reasons.h"
#include "reports/record.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/program.h"
#include "tools/cli/run_source.h"
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
    const FileCase& read, const CompareOptions& options) {
  reports::CaseRecord record;
  record.path = read.path;
  record.verdict = Verdict::kMalformed;
  record.reproduce = ReproduceLintDifference(read.path) +
                     ReadOption(options.edition, options.product);
  record.error = read.error;
  bool written = true;
  if (!record.error.empty()) return {std::move(record), written};
  const auto thrown = Thrown([&] {
    const auto compared = lint::Compare(read.c);
    if (!compared) {
      record.verdict = Verdict::kUnsupported;
      record.reason = "beyond the model: " + compared.error();
      return;
    }
    record.verdict = *compared ? Verdict::kDisagree : Verdict::kAgree;
    if (!*compared) return;
    record.findings = {**compared};
    written = WriteTo(options.out, [&] {
      return WriteCase(lint::ShrinkDifference(read.c, **compared, {}).shrunk);
    });
  });
  if (thrown) record.error = *thrown;
  return {std::move(record), written};
}

using Compared = std::optional<std::pair<reports::CaseRecord, bool>>;

/// Compares lint with the model on files.
class DifferenceSink final : public diff::Sink<FileCase, Compared> {
 public:
  /// `options`: used until the run has ended.
  explicit DifferenceSink(const CompareOptions& options) : options_(options) {}

  Compared Begin(std::size_t) override { return {}; }
  /// A case, and what is made of a difference, may take long: an interrupt
  /// leaves its thread.
  bool Compare(FileCase&& read, std::size_t, Compared& compared) override {
    compared = UnlessInterrupted(
        [this, file = std::move(read)] { return CompareFile(file, options_); });
    if (!compared) throw std::runtime_error("interrupted");
    found += compared->first.verdict == Verdict::kDisagree;
    return true;
  }
  void Take(std::size_t, Compared&& compared) override {
    if (!compared) return;
    written_ &= compared->second;
    lines_.Add(compared->first);
    run_.Add(std::move(compared->first));
  }

  /// Prints what the run came to; the status.
  int Finish(const diff::RunEnd& end) const {
    const std::string unfinished = end.Unfinished();
    fmt::print("{}{}", IncompleteText(reports::ReasonsFrom({unfinished})),
               lines_.Text());
    fmt::print(
        "compared lint with the model of bytes on {}: {} agree, {} disagree, "
        "{} beyond the model, {} malformed\n",
        Counted(end.done, "case"), run_.agree, run_.disagree, run_.unsupported,
        run_.malformed);
    if (!written_) return kUsage;
    if (run_.disagree > 0) return kDisagreement;
    if (!unfinished.empty()) return FailUsage(unfinished);
    if (run_.agree == 0) return FailUsage("nothing was compared");
    if (!options_.out.empty())
      return FailUsage("the two agree; there is nothing for --out");
    return run_.unsupported + run_.malformed > 0 ? kUsage : kAgree;
  }

 private:
  const CompareOptions& options_;
  reports::RunRecord run_;
  CaseLines lines_;
  bool written_ = true;
};

int CompareLint(const CompareOptions& options) {
  const std::string& out = options.out;
  std::error_code error;
  if (!out.empty() &&
      (options.paths.size() != 1 ||
       std::filesystem::is_directory(options.paths[0], error))) {
    return FailUsage("--out: expected one file as PATH, which is shrunk");
  }
  WatchInterrupt();
  DifferenceSink sink(options);
  FileSource source(FindCases(options.paths), options.edition, options.product);
  const diff::RunEnd end = RunSource(source, OracleAlone(), sink);
  const int status = sink.Finish(end);
  if (end.failure.empty()) return status;
  ExitAtOnce(status);
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

#include "diff/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "cli/common.h"
#include "diff/case_reader.h"
#include "reports/printers.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

/// Tells how far a long run is: always on a terminal, else every ten seconds.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total) {}

  void Step(std::size_t done, std::size_t found) {
    const auto now = Clock::now();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    if (now - last_ < std::chrono::milliseconds(terminal ? 200 : 10'000))
      return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(done) / seconds;
    fmt::print(stderr, "{}{} of {} cases, {:.0f}/s, {} found, {:.0f} s left{}",
               terminal ? "\r" : "", done, total_, rate, found,
               static_cast<double>(total_ - done) / rate,
               terminal ? "\x1b[K" : "\n");
    shown_ = terminal;
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool shown_ = false;
};

reports::CaseRecord CheckPath(const CasePath& path, const CheckOptions& options,
                              const diff::Target& target,
                              const diff::Target& reference) {
  reports::CaseRecord record;
  record.path = path.path;
  record.error = path.error;
  if (record.error.empty()) {
    const auto c = diff::ReadCaseFile(path.path);
    if (c) {
      diff::Comparison result = diff::CheckCase(*c, target, reference);
      record.id = c->id;
      record.findings = std::move(result.findings);
      record.steps = result.steps;
      record.compared_bytes = result.compared_bytes;
      record.nodes = result.nodes;
      record.verdict = !record.findings.empty() ? Verdict::kDisagree
                       : result.unsupported     ? Verdict::kUnsupported
                                                : Verdict::kAgree;
    } else {
      record.error = c.error();
    }
  }
  if (!record.error.empty()) record.verdict = Verdict::kMalformed;
  record.reproduce = "lanediff check " + ShellWord(path.path);
  if (options.target != "emulator") {
    record.reproduce += " --target " + ShellWord(options.target);
  }
  if (options.reference != "oracle") {
    record.reproduce += " --reference " + ShellWord(options.reference);
  }
  return record;
}

}  // namespace

int RunCheck(const CheckOptions& options) {
  const auto target = diff::FindTarget(options.target);
  if (!target) return FailUsage("--target: " + target.error());
  const auto reference = diff::FindTarget(options.reference);
  if (!reference) return FailUsage("--reference: " + reference.error());
  if (*target == *reference) {
    return FailUsage(
        "--target and --reference are the same; nothing would be "
        "compared");
  }

  WatchInterrupt();
  reports::RunRecord run;
  run.verb = "check";
  run.target = options.target;
  run.reference = options.reference;
  const auto paths = FindCases(options.paths);
  {
    Progress progress(paths.size());
    for (const CasePath& path : paths) {
      if (Interrupted()) break;
      run.Add(CheckPath(path, options, **target, **reference));
      fmt::print("{}", reports::CaseText(run.cases.back()));
      progress.Step(run.cases.size(), run.disagree);
    }
  }
  if (Interrupted()) {
    fmt::print(stderr, "lanediff: interrupted after {} of {} cases\n",
               run.cases.size(), paths.size());
  }
  fmt::print("{}", reports::SummaryText(run));
  const bool written = WriteReports(run, options.files);
  if (run.disagree > 0) return kDisagreement;
  if (run.malformed > 0 || !written) return kUsage;
  if (run.agree == 0) return FailUsage("nothing was compared");
  return kAgree;
}

}  // namespace lanediff::cli

// Lint against the model of bytes.

#include "cli/verbs/lint_compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "case/write_file.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/interruptible.h"
#include "cli/standard_output.h"
#include "cli/status.h"
#include "lint/compare.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "reports/record.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

/// Looks at one file, and writes to `out`, if that is not empty, what is made
/// of a difference; false, with a message, if it can't be written.
bool CompareFile(const CasePath& path, const std::string& out,
                 reports::CaseRecord& record) {
  record.path = path.path;
  record.verdict = Verdict::kMalformed;
  record.reproduce = ReproduceLintDifference(path.path);
  const auto c = path.error.empty() ? ReadCaseFile(path.path)
                                    : std::unexpected(path.error);
  if (!c) {
    record.error = c.error();
    return true;
  }
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
    written = WriteTo(out, [&] {
      return WriteCase(lint::ShrinkDifference(*c, **compared, {}).shrunk);
    });
  });
  if (thrown) record.error = *thrown;
  return written;
}

/// Prints what `run` came to over `done` of `all` cases; the status.
int FinishCompare(const reports::RunRecord& run, std::size_t done,
                  std::size_t all, bool written, const std::string& out) {
  fmt::print(
      "compared lint with the model of bytes on {}: {} agree, {} disagree, {} "
      "beyond the model, {} malformed\n",
      reports::Counted(done, "case"), run.agree, run.disagree, run.unsupported,
      run.malformed);
  if (!written) return kUsage;
  if (run.disagree > 0) return kDisagreement;
  if (done < all) {
    return FailUsage(
        fmt::format("interrupted after {} of {} cases", done, all));
  }
  if (run.agree == 0) return FailUsage("nothing was compared");
  if (!out.empty()) return FailUsage("the two agree; there is nothing for -o");
  return run.unsupported + run.malformed > 0 ? kUsage : kAgree;
}

}  // namespace

int CompareLint(const std::vector<std::string>& paths, const std::string& out) {
  WatchInterrupt();
  reports::RunRecord run;
  bool written = true;
  bool ended = true;
  const auto files = FindCases(paths);
  std::size_t done = 0;
  for (; done < files.size() && !Interrupted(); ++done) {
    reports::CaseRecord record;
    bool kept = true;
    // A case, and what is made of a difference, may take long.
    ended = DoneUnlessInterrupted(
        [&] { kept = CompareFile(files[done], out, record); });
    if (!ended) break;
    written = kept && written;
    fmt::print("{}", reports::CaseText(record));
    run.Add(std::move(record));
  }
  const int status = FinishCompare(run, done, files.size(), written, out);
  if (ended) return status;
  RemoveTemporaryFile();
  _exit(FinishStandardOutput(status));
}

}  // namespace lanediff::cli

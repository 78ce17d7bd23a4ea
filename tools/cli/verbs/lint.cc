// Judges programs as they were meant, by the oracle alone.

#include "sanitizer/lint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "reports/headline.h"
#include "reports/lint.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "sanitizer/fix_program.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/standard_output.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/lint/lint.h"

namespace lanediff::cli {
namespace {

/// Notes which known issues have occurred, and which findings are accepted.
void AcceptKnown(diff::KnownIssueFilter& known, reports::LintedCase& linted) {
  for (reports::LintFinding& finding : linted.findings) {
    const auto* const issue = known.Find(finding.signature);
    if (issue == nullptr) continue;
    known.MarkOccurred(finding.signature);
    finding.known = fmt::format("{} ({})", issue->reason, issue->link);
  }
}

/// One row for each product: where the program is legal and clean.
std::string ProductTable(const std::vector<reports::LintedCase>& rows) {
  std::string text;
  for (const reports::LintedCase& row : rows) {
    const lint::Verdict& v = row.verdict;
    std::string what = "clean";
    if (v.rejected) {
      what = fmt::format("step {} rejected", v.rejected->step);
    } else if (v.unsupported) {
      what = fmt::format("step {} unsupported", *v.unsupported);
    } else if (!v.hazards.empty()) {
      what = "legal";
    }
    text += fmt::format("  {:<26} {:<18} {}\n", isa::Name(row.product), what,
                        reports::Counted(v.hazards.size(), "hazard"));
  }
  return text;
}

struct LintRun {
  const LintOptions& options;
  std::vector<isa::Product> products;  ///< none: the case's
  diff::KnownIssueFilter known;
  reports::LintRecord record;
  bool unwritten = false;  ///< a case that was to be saved
  CaseLines lines = CaseLines("program");
  std::timed_mutex mutex = {};  ///< of output and record
};

/// Lints the case on every product that is requested; a line in place of what
/// can't be done.
std::expected<void, std::string> LintPath(const std::string& path,
                                          LintRun& run) {
  const LintOptions& options = run.options;
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(text.error());
  auto c = ReadCaseFile(path);
  if (!c) return std::unexpected(c.error());
  ReadAs(options.edition, *c);
  const bool both = options.auto_sync == "both";
  std::vector<LintOptions> modes(both ? 2 : 1, options);
  if (both) {
    modes[0].auto_sync = "on";
    modes[1].auto_sync = "off";
  }
  std::vector<reports::LintedCase> rows;
  const auto wanted =
      run.products.empty() ? std::vector{c->product} : run.products;
  const auto thrown = Thrown([&] {
    for (const LintOptions& mode : modes) {
      Apply(mode, *c);
      for (isa::Product product : wanted) {
        reports::LintedCase& row = rows.emplace_back(LintOn(product, path, *c));
        row.reproduce = ReproduceLint(mode, row);
        if (!options.sarif.empty()) row.lines = StepLines(*text);
      }
    }
  });
  if (thrown) return std::unexpected(*thrown);
  const std::lock_guard lock(run.mutex);
  std::string printed;
  for (reports::LintedCase& row : rows) AcceptKnown(run.known, row);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    reports::LintedCase& row = rows[i];
    const LintOptions& mode = modes[i / wanted.size()];
    if (both && i % wanted.size() == 0) {
      printed += fmt::format("with --auto-sync {}:\n", mode.auto_sync);
    }
    printed += reports::LintText(row, options.max_errors);
    Apply(mode, *c);
    c->product = row.product;
    const auto failed = Thrown([&] {
      run.unwritten = !SaveAll(options, *c, row, printed) || run.unwritten;
    });
    if (failed) {
      run.lines.Add(false, std::move(printed));
      return std::unexpected(*failed);
    }
  }
  if (wanted.size() > 1) printed += ProductTable(rows);
  run.lines.Add(std::ranges::all_of(rows, &reports::LintedCase::clean),
                std::move(printed));
  std::ranges::move(rows, std::back_inserter(run.record.cases));
  return {};
}

int StatusOf(const reports::LintRecord& record) {
  const auto sums = record.Sum();
  if (sums.news > 0 || !record.stale_issues.empty()) return kDisagreement;
  const auto reasons = reports::ReasonsOf(record);
  if (reasons.empty()) return kAgree;
  // Which were printed.
  if (!record.malformed.empty() || !record.unfinished.empty()) return kUsage;
  return FailUsage(reasons.front().text);
}

/// Writes the report files that were requested; false, with a message, if one
/// can't be written.
bool WriteLintFiles(const LintOptions& options,
                    const reports::LintRecord& record, int status) {
  const reports::Report report = ToReport(record, status);
  bool written =
      WriteTo(options.json, [&] { return reports::LintJson(record); });
  written = WriteTo(options.junit, [&] { return ToJunit(report); }) && written;
  written = WriteTo(options.sarif, [&] { return ToSarif(report); }) && written;
  return WriteHtml(
             options.html,
             {.title = "lanediff lint", .verb = "lint", .report = &report}) &&
         written;
}

/// Writes the repaired program and prints what was done and what is left.
int RunFix(const LintOptions& options) {
  const std::string& path = options.paths.front();
  if (options.paths.size() > 1) {
    return FailUsage("lint --fix: expected one file as PATH");
  }
  auto c = OrFail(ReadCaseFile(path), path + ": ");
  ReadAs(options.edition, c, options.product);
  Case meant = c;
  Apply(options, meant);
  lint::FixedProgram fixed;
  reports::LintRecord record;
  const auto thrown = Thrown([&] {
    fixed = lint::FixProgram(meant);
    record.cases.push_back(LintOn(c.product, options.out, fixed.c));
  });
  if (thrown) return FailUsage(path + ": " + *thrown);
  fixed.c.lint = c.lint;  // the options are no part of the program
  if (!WriteTo(options.out, [&] { return WriteCase(fixed.c); })) return kUsage;
  for (const std::string& line : fixed.done) {
    fmt::print("fixed {}\n", reports::InOneLine(line));
  }
  for (const std::string& line : fixed.left) {
    fmt::print("left {}\n", reports::InOneLine(line));
  }
  fmt::print("{} change{} to {}, written to {}\n", fixed.done.size(),
             fixed.done.size() == 1 ? "" : "s", reports::InOneLine(path),
             reports::InOneLine(options.out));
  fmt::print("{}{}", reports::LintText(record.cases[0], options.max_errors),
             reports::LintSummary(record));
  record.cases[0].reproduce = ReproduceLint(options, record.cases[0]);
  const int judged = StatusOf(record);
  const int status = fixed.left.empty() ? judged : kDisagreement;
  const bool written = WriteLintFiles(options, record, status);
  return written || status != kAgree ? status : kUsage;
}

int FinishLint(LintRun& run) {
  reports::LintRecord& record = run.record;
  record.stale_issues = StaleIssues(run.known, record.unfinished.empty());
  fmt::print("{}{}", IncompleteText(reports::ReasonsOf(record)),
             run.lines.Text());
  PrintStaleIssues(record.stale_issues);
  fmt::print("{}", reports::LintSummary(record));
  const int status = StatusOf(record);
  const bool written =
      WriteLintFiles(run.options, record, status) && !run.unwritten;
  return written || status != kAgree ? status : kUsage;
}

int RunLint(const LintOptions& options) {
  std::error_code ignored;
  if (options.out.ends_with(".json") ||
      std::filesystem::is_regular_file(options.out, ignored)) {
    return FailUsage(fmt::format(
        "--out: {}: expected a folder for the cases of findings; it is a file "
        "with --fix and --compare",
        options.out));
  }
  auto issues = OrFail(KnownIssuesOf(options.known_issues, options.paths));
  LintRun run{.options = options,
              .products = {},
              .known = diff::KnownIssueFilter(
                  std::move(issues), diff::KnownIssueFilter::Of::kLint),
              .record = {}};
  for (const std::string& word : options.products) {
    run.products.push_back(*isa::Parse<isa::Product>(word));
  }
  if (!options.out.empty() && !MakeFolder(options.out, "--out")) return kUsage;
  WatchInterrupt();
  reports::LintRecord& record = run.record;
  const auto paths = FindCases(options.paths);
  std::size_t done = 0;
  bool ended = true;
  std::optional<Progress> progress(paths.size());
  std::uint64_t found = 0;
  std::size_t seen = 0;  // of the record's cases
  for (; done < paths.size() && !Interrupted(); ++done) {
    progress->Step(done, found);
    const std::string& path = paths[done].path;
    const std::string& error = paths[done].error;
    std::expected<void, std::string> linted = std::unexpected(error);
    if (error.empty()) {
      // A case may take long.
      const auto done_in_time =
          UnlessInterrupted([&path, &run] { return LintPath(path, run); });
      ended = done_in_time.has_value();
      if (!ended) break;
      linted = *done_in_time;
    }
    for (; seen < record.cases.size(); ++seen) {
      found += record.cases[seen].findings.size();
    }
    if (linted) continue;
    record.malformed.push_back({path, linted.error()});
    run.lines.Add(
        false,
        fmt::format(
            "{}{}: {}\n",
            linted.error() == reports::kPathNotFound ? "" : "malformed ",
            reports::InOneLine(path), reports::InOneLine(linted.error())));
  }
  progress.reset();
  if (done < paths.size()) {
    record.unfinished =
        fmt::format("interrupted after {} of {} cases", done, paths.size());
    FailUsage(record.unfinished);
  }
  // What the thread of a case that goes on holds is left alone.
  const bool mine = ended || run.mutex.try_lock_for(std::chrono::seconds(1));
  const int status = mine ? FinishLint(run) : kUsage;
  if (!ended) _exit(FinishStandardOutput(status));
  return status;
}

}  // namespace

namespace {

/// How a program is meant, in place of what the case has.
void AddMeaning(Verb& verb, LintOptions& options,
                std::vector<std::string> syncs) {
  verb.Add("--auto-sync", options.auto_sync,
           "how programs are synchronized, in place of their own: on, the "
           "compiler puts in what it does; off, nothing but what is there; "
           "both, one after the other")
      .OneOf(std::move(syncs))
      .Was("--sync", {{"auto", "on"}, {"manual", "off"}});
  verb.Add("--init", options.init,
           "what reading unwritten bytes is: first-read, a hazard; propagate, "
           "a hazard where what is computed from them leaves the core")
      .OneOf({"first-read", "propagate"});
  verb.Add("--start-mask", options.start_mask,
           "mask register and mode at the start: ones, or unknown, whatever a "
           "kernel before left")
      .OneOf({"ones", "unknown"});
}

void AddLintFiles(Verb& verb, LintOptions& options) {
  verb.Add("--max-errors", options.max_errors,
           "hazards to print of each program; 0 for all")
      .ShowDefault();
  verb.Add("--json FILE", options.json, "write what was found");
  verb.Add("--junit FILE", options.junit, "write JUnit XML");
  verb.Add("--sarif FILE", options.sarif, "write SARIF 2.1.0");
  AddPage(verb, options.html);
}

}  // namespace

void AddLint(CommandLine& line) {
  auto [verb, options] =
      line.Add("lint",
               "judge programs as they were meant: rules, races, "
               "unwritten bytes, flags, masks",
               RunLint);
  verb.footer =
      "By the oracle alone; nothing is compared. Status 0: clean; 1: a hazard "
      "or a rejected step; 2: wrong usage, or not all was looked at.";
  AddCases(verb, options.paths);
  AddMeaning(verb, options, {"on", "off", "both"});
  verb.Add("--product PRODUCT,...", options.products,
           "on this product instead of the case's; several give a table")
      .ByCommas()
      .OneOf(AllWords<isa::Product>());
  AddCaseEdition(verb, options.edition);
  AddKnownIssues(verb, options.known_issues,
                 "at the top of each folder given as PATH");
  AddLintFiles(verb, options);
  verb.Add("-o,--out DIR", options.out,
           "folder that gets for each finding the smallest case that shows it "
           "alone")
      .Was("--cases");
  AddVerbose(verb, "the lines of every program");
  verb.Docs("lint.md", {{"lint corpus/program --auto-sync off"},
                        {"lint corpus/min/align-dst-at-16-rejected.json --out "
                         "alone"}});
}

void AddLintFix(CommandLine& line) {
  auto [verb, options] =
      line.Add("lint --fix",
               "repair a program: apply the repairs of rejected steps, put in "
               "missing calls, and judge what comes out",
               RunFix);
  verb.footer =
      "Status 0: clean; 1: something is left; 2: wrong "
      "usage, or FILE can't be written.";
  AddCases(verb, options.paths);
  AddMeaning(verb, options, {"on", "off"});
  AddReadAs(verb, options.edition, options.product);
  AddLintFiles(verb, options);
  verb.Add("-o,--out FILE", options.out,
           "file of the repaired program; may be PATH itself")
      .Required();
  verb.Docs("lint.md",
            {{"lint --fix corpus/min/align-dst-at-16-rejected.json --out "
              "fixed.json"},
             {"lint --fix corpus/min/align-dst-at-16-rejected.json --out "
              "again.json --json lint.json"}});
}

}  // namespace lanediff::cli

// Judges programs as they were meant, by the oracle alone.

#include "sanitizer/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "reports/lint.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "sanitizer/repair.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/program.h"
#include "tools/cli/run_source.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/lint/lint.h"

namespace lanediff::cli {
namespace {

/// One row for each product: where the program is legal and clean.
std::string ProductTable(const std::vector<reports::LintedCase>& rows) {
  std::string text;
  for (const reports::LintedCase& row : rows) {
    text += fmt::format("  {:<26} {}\n", isa::Name(row.product),
                        reports::OutcomeOf(row));
  }
  return text;
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

/// What came of one file.
struct LintedFile {
  FileCase file;  ///< `error`: why not all was done; or empty
  std::vector<reports::LintedCase> rows = {};
  std::string text = {};
  bool unwritten = false;  ///< a case that was to be saved
};

/// Lints each case on every product that is requested.
class LintSink final : public diff::Sink<FileCase, std::optional<LintedFile>> {
 public:
  explicit LintSink(const LintOptions& options)
      : options_(options),
        known_(OrFail(KnownIssuesOf(options.known_issues, options.paths)),
               diff::KnownIssueFilter::Of::kLint) {
    for (const std::string& word : options.products) {
      products_.push_back(*isa::Parse<isa::Product>(word));
    }
  }

  std::optional<LintedFile> Begin(std::size_t) override { return {}; }
  /// A case may take long: an interrupt leaves its thread.
  bool Compare(FileCase&& read, std::size_t,
               std::optional<LintedFile>& linted) override {
    linted = UnlessInterrupted([this, file = std::move(read)]() mutable {
      LintedFile lints{.file = std::move(file)};
      std::string& error = lints.file.error;
      if (error.empty()) error = Thrown([&] { Lint(lints); }).value_or("");
      return lints;
    });
    if (!linted) throw std::runtime_error("interrupted");
    for (const auto& row : linted->rows) found += row.findings.size();
    return true;
  }
  void Take(std::size_t, std::optional<LintedFile>&& taken) override {
    if (!taken) return;
    auto& [file, rows, text, unwritten] = *taken;
    unwritten_ |= unwritten;
    const bool done = file.error.empty();
    if (!text.empty()) {
      lines_.Add(done && std::ranges::all_of(rows, &reports::LintedCase::clean),
                 std::move(text));
    }
    if (done) {
      std::ranges::move(rows, std::back_inserter(record_.cases));
      return;
    }
    lines_.Add(
        false,
        fmt::format("{}{}: {}\n",
                    file.error == reports::kPathNotFound ? "" : "malformed ",
                    reports::InOneLine(file.path),
                    reports::InOneLine(file.error)));
    record_.malformed.push_back({std::move(file.path), std::move(file.error)});
  }

  /// Prints and writes what was found; the status.
  int Finish(const std::string& unfinished) {
    record_.unfinished = unfinished;
    record_.stale_issues = StaleIssues(known_, unfinished.empty());
    fmt::print("{}{}", IncompleteText(reports::ReasonsOf(record_)),
               lines_.Text());
    PrintStaleIssues(record_.stale_issues);
    fmt::print("{}", reports::LintSummary(record_));
    const int status = StatusOf(record_);
    const bool written =
        WriteLintFiles(options_, record_, status) && !unwritten_;
    return written || status != kAgree ? status : kUsage;
  }

 private:
  void Lint(LintedFile& linted) {
    Case& c = linted.file.c;
    const std::string& path = linted.file.path;
    const bool both = options_.auto_sync == "both";
    std::vector<LintOptions> modes(both ? 2 : 1, options_);
    if (both) {
      modes[0].auto_sync = "on";
      modes[1].auto_sync = "off";
    }
    const auto wanted = products_.empty() ? std::vector{c.product} : products_;
    const auto lines = options_.sarif.empty()
                           ? std::vector<std::size_t>()
                           : StepLines(ReadFile(path).value_or(""));
    for (const LintOptions& mode : modes) {
      Apply(mode, c);
      for (isa::Product product : wanted) {
        reports::LintedCase& row =
            linted.rows.emplace_back(LintOn(product, path, c));
        row.reproduce = ReproduceLint(mode, row);
        row.lines = lines;
        for (reports::LintFinding& finding : row.findings) {
          const auto* const issue = known_.Find(finding.signature);
          if (issue == nullptr) continue;
          known_.MarkOccurred(finding.signature);
          finding.known = fmt::format("{} ({})", issue->reason, issue->link);
        }
      }
    }
    for (std::size_t i = 0; i < linted.rows.size(); ++i) {
      reports::LintedCase& row = linted.rows[i];
      const LintOptions& mode = modes[i / wanted.size()];
      if (both && i % wanted.size() == 0) {
        linted.text += fmt::format("with --auto-sync {}:\n", mode.auto_sync);
      }
      linted.text += reports::LintText(row, options_.max_errors);
      Apply(mode, c);
      c.product = row.product;
      linted.unwritten |= !SaveAll(options_, c, row, linted.text);
    }
    if (wanted.size() > 1) linted.text += ProductTable(linted.rows);
  }

  const LintOptions& options_;
  std::vector<isa::Product> products_;  ///< none: the case's
  /// A case's thread marks in it; what is marked is read if none was left.
  diff::KnownIssueFilter known_;
  reports::LintRecord record_;
  bool unwritten_ = false;
  CaseLines lines_ = CaseLines("program");
};

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
  fmt::print("{} to {}, written to {}\n", Counted(fixed.done.size(), "change"),
             reports::InOneLine(path), reports::InOneLine(options.out));
  fmt::print("{}{}", reports::LintText(record.cases[0], options.max_errors),
             reports::LintSummary(record));
  record.cases[0].reproduce = ReproduceLint(options, record.cases[0]);
  const int judged = StatusOf(record);
  const int status = fixed.left.empty() ? judged : kDisagreement;
  const bool written = WriteLintFiles(options, record, status);
  return written || status != kAgree ? status : kUsage;
}

int RunLint(const LintOptions& options) {
  std::error_code ignored;
  if (options.out.ends_with(".json") ||
      std::filesystem::is_regular_file(options.out, ignored)) {
    return FailUsage(
        "--out: {}: expected a folder for the cases of findings; it is a file "
        "with --fix and --compare",
        options.out);
  }
  LintSink sink(options);
  if (!options.out.empty() && !MakeFolder(options.out, "--out")) return kUsage;
  WatchInterrupt();
  FileSource source(FindCases(options.paths), options.edition);
  const diff::RunEnd end = RunSource(source, OracleAlone(), sink);
  if (!end.Unfinished().empty()) FailUsage(end.Unfinished());
  const int status = sink.Finish(end.Unfinished());
  if (end.failure.empty()) return status;
  ExitAtOnce(status);  // a thread was left
}

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

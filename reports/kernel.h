#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/kernel_record.h"
#include "reports/reasons.h"

namespace lanediff::reports {

/// What sites call the program that --kernel puts around a kernel; no file.
inline constexpr std::string_view kMainOfKernel = "main of --kernel";

/// The lines of source files by the names that sites have. A file that can't be
/// read has none.
class KernelSources {
 public:
  KernelSources() = default;
  explicit KernelSources(std::map<std::string, std::string> texts);

  const std::vector<std::string>& Lines(const std::string& file) const;
  /// Line `line`, from 1, without blanks at its ends; empty if there is none.
  std::string_view Line(const std::string& file, std::int64_t line) const;

  /// Those of files that a page may show: what a directive `#line` names is not
  /// for that a file of the program. `compiled` are the files that a compiler
  /// read; where none are known, lines at sites must have the names of calls.
  KernelSources Shown(const kernel::RunRecord& record,
                      const std::set<std::string>& compiled) const;

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

/// The files that the record's sites name.
std::set<std::string> FilesOf(const kernel::RunRecord& record);

/// Reads the files that the record's sites name, as they are now.
KernelSources ReadSources(const kernel::RunRecord& record);

/// Whether `name`, as users write it, means `file`, as passed to the compiler:
/// the same path, or its last parts.
bool MeansFile(std::string_view name, std::string_view file);

// What a run of a kernel comes to, in numbers and in words; words stand in one
// line each and are fit to be shown.

/// The status of the run, whatever was expected of it. 1: findings, what
/// --fail-on names, or a stale list of suppressions. 3: the program crashed,
/// timed out or its main failed. 2: not started, a refused call, stopped by
/// --max-errors, nothing checked, or a place of --without not met. Else 0.
int KernelRunStatus(const kernel::RunRecord& record);

/// What --fail-on takes for a failure and the run has, a line each.
std::vector<std::string> FailedOn(const kernel::RunRecord& record);

/// The status that lanediff ends with: of the run; with --expect 0 if it was as
/// expected and there is nothing that --fail-on names, else 1.
int KernelStatus(const kernel::RunRecord& record);

/// Whether anything was audited or followed.
bool AnythingChecked(const kernel::Counts& counts);

/// The line SUMMARY.
struct KernelSummary {
  /// Findings that nothing suppresses: rule, site and other site, each once.
  std::array<std::uint64_t, isa::kCount<kernel::Group>> findings = {};
  std::uint64_t suppressed = 0;
  std::uint64_t notes = 0;  ///< rule and site, each once
  std::uint64_t status = 0;

  std::uint64_t AllFindings() const;

  static void Fields(auto& s, auto& v) {
    for (std::size_t i = 0; i < s.findings.size(); ++i) {
      v.Required(isa::Name(static_cast<kernel::Group>(i)), s.findings[i]);
    }
    LANEDIFF_REQUIRED(v, s.suppressed, s.notes, s.status);
  }
};
KernelSummary SummaryOf(const kernel::RunRecord& record);

/// A key of the lines CHECKED or NOT-CHECKED.
struct KernelCount {
  std::string_view key;
  std::uint64_t kernel::Counts::* count;
  std::string_view meaning;  ///< for people, without an end
  /// Of NOT-CHECKED: what a user does so that it is checked.
  std::string_view remedy = {};
};
std::span<const KernelCount> KernelChecked();
std::span<const KernelCount> KernelNotChecked();

/// "add.cpp:24".
std::string SiteText(const kernel::Site& site);

/// Why `text` is no rule that a run reports; empty if it is one.
std::string NoRule(const std::string& text);

/// " (and 63 more)"; empty for 1.
std::string MoreText(std::uint64_t times);

/// "block 0, execution 1, iteration 3, lanes 0 to 63 (and 63 more)", with
/// launch, iteration and call where they are not the first.
std::string OccurrenceText(const kernel::Finding& finding);

/// "SYNC-FLAG-ID add.cpp:20"; empty of a root cause.
std::string CauseText(const kernel::Finding& finding);

/// "256 bytes that leave the core depend on the call (argument 2, elements 0 to
/// 63)"; empty of none.
std::string UnknownText(const kernel::Finding& finding);

/// Root causes before what follows from them; else the order stays.
void PutRootsFirst(kernel::RunRecord& record);

/// "add.cpp:31: refused: CrossCoreSetFlag (synchronization between cores)".
std::string RefusalText(const kernel::Refusal& refusal);

/// "add.cpp:24: hidden by --auto-sync on: SYNC-RAW: Add is ordered behind
/// DataCopy add.cpp:21 by the compiler alone; fix: …".
std::string HiddenText(const kernel::Hidden& hidden);

/// The command that shows the finding again; empty if it has no case.
std::string ReproduceText(const kernel::Finding& finding);

/// Lines on how the program ended and on what was not checked at all; empty if
/// all went well.
std::vector<std::string> EndLines(const kernel::RunRecord& record);

/// The refused calls, and those lines.
Reasons ReasonsOf(const kernel::RunRecord& record);

/// What came out, in one sentence without its end.
std::string KernelSentence(const kernel::RunRecord& record);

/// Document of the kind `kernel`, for its writer and its schema.
struct KernelDocument {
  kernel::RunRecord record;

  static void Fields(auto& d, auto& v) {
    auto& r = d.record;
    v.Document("kernel");
    v.Required("program", r.program);
    v.Derived("sentence", [&] { return KernelSentence(r); });
    CompleteFields(v, ReasonsOf(r));
    v.Derived("summary", [&] { return SummaryOf(r); },
              {.description = "findings by group that nothing suppresses, what "
                              "is suppressed or noted, and the exit status"});
    v.Required("counts", r.counts,
               {.description = "the lines CHECKED and NOT-CHECKED"});
    LANEDIFF_REQUIRED(v, r.end, r.settings);
    v.Required("findings", r.findings,
               {.description =
                    "root causes first, in the order of the first occurrence"});
    LANEDIFF_REQUIRED(v, r.notes, r.refusals);
    v.Optional("hidden", r.hidden,
               {.description = "findings that --auto-sync off would add"});
    v.Required("sites", r.sites);
    v.Optional("suppressionFaults", r.suppression_faults, kFilled);
    v.Optional("expectationFaults", r.expectation_faults, kFilled);
  }
};

// Printers of what a run of a kernel came to. Texts of the record may hold any
// bytes; equal records give equal documents, byte for byte.

struct Report;

/// Rule, message, where and how often, what is missing, and the case.
std::string KernelFindingText(const kernel::Finding& finding);

/// Document of the kind `kernel`: reports/schema/kernel.schema.json.
std::string KernelJson(const kernel::RunRecord& record);

/// A text has findings, refused calls, notes if they are requested, what went
/// wrong, a remedy for each count of what was not checked, and the lines
/// CHECKED, NOT-CHECKED (keys that are not zero) and SUMMARY. A page has the
/// sources, too, with findings beside the lines. JUnit has a test for each site
/// and for each thing that went wrong besides; SARIF each finding and note at
/// its line, with the other access as a related place and fingerprints of rule,
/// file and text of the line.
Report ToReport(const kernel::RunRecord& record, const KernelSources& sources);

/// Adds what people read of it.
void AddForPeople(const kernel::RunRecord& record, const KernelSources& sources,
                  Report& report);

// Lists that people write of runs of kernels (docs/known-issues.md): findings
// that are accepted for a time, document `lanediff-suppressions/1`, and what a
// run must find, `lanediff run --expect FILE`.

/// Accepts findings of one rule at one place: a line by its number or by its
/// text, without blanks at its ends.
struct Suppression {
  std::string rule;
  std::string file;  ///< as in `MeansFile`
  std::optional<std::int64_t> line;
  std::string text;
  std::string reason;
  std::string expires;  ///< the last day on which it is accepted, YYYY-MM-DD

  std::optional<CaseError> Fault() const;

  static void Fields(auto& s, auto& v) {
    v.Required("rule", s.rule,
               {.description = "of the finding, as the report names it",
                .filled = true,
                .check = NoRule});
    v.Required("file", s.file,
               {.description = "as the report names it, or its last parts",
                .filled = true,
                .check = NoLine});
    v.Optional("line", s.line,
               {.description = "either it or \"text\"", .low = 1});
    v.Optional("text", s.text,
               {.description = "all of the line, without blanks at its ends",
                .filled = true,
                .check = NoLine});
    v.Required("reason", s.reason, {.filled = true, .check = NoLine});
    v.Required("expires", s.expires,
               {.description = "the last day on which it is accepted, in UTC",
                .pattern = kDayPattern,
                .check = NoDay});
  }
};

struct Suppressions {
  std::vector<Suppression> list;
  std::string file;  ///< from which it was read

  static void Fields(auto& s, auto& v) {
    v.Format("lanediff-suppressions/1");
    v.Required("suppressions", s.list);
  }
};

/// The list in `path`; the error is one line "path: pointer: message".
std::expected<Suppressions, std::string> ReadSuppressions(
    const std::string& path);

/// Writes the reason into each finding that an entry meets, and a line for each
/// entry that has expired or met nothing into `suppression_faults`. An expired
/// entry is still met. Of a run that did not end by itself, or looked at some
/// groups alone, unused entries are not reported.
void Suppress(const Suppressions& suppressions, const KernelSources& sources,
              std::string_view today, kernel::RunRecord& record);

struct Expectations {
  struct ExpectedFinding {
    std::string word;  ///< a rule or a group
    std::string file;  ///< as in `MeansFile`
    std::int64_t line = 0;
  };
  std::vector<ExpectedFinding> findings;
  std::vector<std::string> notes;  ///< rules
  /// Of the run, not of lanediff. Not given: 1 if findings are expected, else
  /// 0.
  std::optional<int> status;
};

/// Reads lines "finding RULE-or-GROUP FILE:LINE", "note RULE", "status N" and
/// comments behind "#"; the error is one line "LINE: what is wrong".
std::expected<Expectations, std::string> ReadExpectations(
    std::string_view text);

/// The same of a file; the error is one line "path:LINE: what is wrong".
std::expected<Expectations, std::string> ReadExpectationsFile(
    const std::string& path);

/// The differences, a line each; none if the findings that nothing suppresses
/// are exactly those expected, each met by an expectation of its own, all
/// expected notes are there and the run has the expected status.
std::vector<std::string> Unexpected(const Expectations& expected,
                                    const kernel::RunRecord& record);

}  // namespace lanediff::reports

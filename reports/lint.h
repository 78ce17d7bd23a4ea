#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "reports/report.h"

namespace lanediff::reports {

/// A hazard, or a rule that the rejected step breaks: what counts, nothing of
/// what follows a rejected step.
struct LintFinding {
  isa::RuleId rule;
  std::string signature;  ///< differential/compare/signature.h
  std::size_t step = 0;
  std::string_view op;
  std::string operand;  ///< at fault; empty where none is
  std::string message;  ///< all of it in one line
  /// Why it is accepted; empty if it isn't.
  std::string known;
  /// The case that shows it alone; empty if none was requested or found.
  std::string alone;
};

/// One program that lint looked at.
struct LintedCase {
  std::string path;
  std::string id;
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  lint::Verdict verdict;
  /// Witnesses and repairs of the rejected steps, ascending; of the first ones.
  std::vector<lint::Diagnosis> diagnoses;
  lint::HazardRepairs hazard_repairs;
  /// Of which INIT-READ finds nothing (`lint::TakenAsWritten`).
  std::vector<isa::Memory> taken_as_written;
  /// The names of the program's steps.
  std::vector<std::string_view> ops;
  /// Of a case of kernels: what each step is and where it was called.
  std::vector<std::string> where;
  std::vector<LintFinding> findings;
  std::string reproduce;  ///< the command that shows it again
  /// Of each step the line of the file on which it begins; empty if not
  /// requested.
  std::vector<std::size_t> lines;

  bool clean() const { return verdict.clean() && !verdict.unsupported; }
  /// Whether something was found that isn't accepted.
  bool HasNews() const;
};

/// A file that is no case.
struct MalformedFile {
  std::string path;
  std::string error;
};

/// Findings of one signature.
struct LintGroup {
  std::string signature;
  isa::RuleId rule;
  lint::Group group = lint::Group::kLegality;
  std::uint64_t times = 0;
  std::uint64_t cases = 0;
  /// The one that is shown: of the case with the fewest steps.
  const LintedCase* example = nullptr;
  const LintFinding* finding = nullptr;
};

/// All of them.
struct LintRecord {
  std::vector<LintedCase> cases;
  std::vector<MalformedFile> malformed;
  std::string unfinished;  ///< why some weren't looked at; empty if all
  /// Known issues that have expired or did not occur, a line each.
  std::vector<std::string> stale_issues;

  struct Sums {
    std::uint64_t clean = 0;
    std::uint64_t hazards = 0;
    std::uint64_t hazardous = 0;     ///< cases with hazards
    std::uint64_t rejected = 0;      ///< cases
    std::uint64_t unsupported = 0;   ///< cases
    std::uint64_t no_racecheck = 0;  ///< cases
    std::uint64_t steps = 0;
    std::uint64_t operations = 0;
    std::uint64_t bytes = 0;
    std::uint64_t synchronizing = 0;
    std::uint64_t masked = 0;
    /// Cases in which every byte of it counts as written before the program.
    std::array<std::uint64_t, isa::kCount<isa::Memory>> taken_as_written = {};
    std::uint64_t known = 0;  ///< findings that are accepted
    std::uint64_t news = 0;   ///< findings that aren't
    /// Hazards and broken rules; nothing of what follows a rejected step.
    std::map<std::string, std::uint64_t> by_rule;
    std::array<std::uint64_t, isa::kCount<lint::Group>> by_group = {};
  };
  Sums Sum() const;
};

/// What counts of a program: hazards, then the rules of the rejected step.
/// `linted` has its verdict and diagnoses.
std::vector<LintFinding> FindingsOf(const LintedCase& linted,
                                    const std::vector<isa::Step>& program);

/// The findings by signature, worst first: what ends a program, then races and
/// flags, unwritten bytes, masks; of a kind what is found most often.
std::vector<LintGroup> GroupsOf(const LintRecord& record);

/// What came out, in one sentence; `tone` as in reports/headline.h.
struct LintHeadline {
  std::string sentence;
  std::string tone;
  std::vector<std::string> not_looked_at;
};
LintHeadline HeadlineOf(const LintRecord& record);

/// The diagnosis of step `step`; null if there is none.
const lint::Diagnosis* DiagnosisOf(const LintedCase& linted, std::size_t step);

/// What was found in one program, a line for each hazard and rejected step; at
/// most `most` hazards, 0 for all, with a line for the rest.
Report::Line LintLine(const LintedCase& linted, std::uint64_t most);
std::string LintText(const LintedCase& linted, std::uint64_t most);

/// A hazard in one line, with what was found when a repair was looked for, else
/// with the calls that it lacks.
std::string HazardText(
    const lint::Hazard& hazard,
    const std::optional<lint::HazardRepair>* repair = nullptr);

/// The editions of the documents by which the programs were judged, with commas
/// in between.
std::string EditionsOf(const LintRecord& record);

/// What was found, by rule and group, what was looked at, and what was not
/// done.
std::string LintSummary(const LintRecord& record);

/// The document of `lint --json`: docs/lint.md.
std::string LintJson(const LintRecord& record);

/// Why programs without findings are no success.
Reasons ReasonsOf(const LintRecord& record);

/// With a test for each program on each product, and a finding at each step's
/// line. `exit_status` is the process's.
Report ToReport(const LintRecord& record, int exit_status);

}  // namespace lanediff::reports

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
#include "differential/testcase/record.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {

inline constexpr Allowed kLintSignature = {.pattern =
                                               "^lint/[^/]+/[^/]+/[^/]+$"};

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

  static void Fields(auto& f, auto& v) {
    v.Required("rule", f.rule);
    v.Required("signature", f.signature, kLintSignature);
    v.Required("step", f.step);
    v.Required("message", f.message, kFilled);
    v.Optional("known", f.known, {.description = "why it is accepted"});
    v.Optional("alone", f.alone,
               {.description = "the case that shows it alone"});
  }
};

/// A rule that notes something of executed steps.
struct LintNote {
  isa::RuleId rule;
  std::vector<std::size_t> steps;

  static void Fields(auto& n, auto& v) {
    v.Required("rule", n.rule);
    v.Required("steps", n.steps, kFilled);
  }
};

/// A hazard of the program itself, with what would take it away: nothing where
/// that was not looked for, and none where none was found.
struct RepairedHazard : lint::Hazard {
  std::optional<std::optional<lint::HazardRepair>> repair;

  static void Fields(auto& h, auto& v) {
    lint::Hazard::Fields(h, v);
    v.Optional("repair", h.repair,
               {.description = "another id of a flag, or bytes to write before "
                               "the program, that takes the hazard away; null: "
                               "none was found"});
  }
};

/// A rejected step, with its diagnosis where there is one.
struct DiagnosedStep : lint::RejectedStep {
  std::optional<std::vector<lint::Witness>> witness;
  std::optional<std::optional<lint::Repair>> repair;

  static void Fields(auto& s, auto& v) {
    lint::RejectedStep::Fields(s, v);
    v.Optional("witness", s.witness);
    v.Optional("repair", s.repair, {.description = "null: none was found"});
  }
};

/// What follows a rejected step, as if that step did nothing.
struct LintedRest {
  std::vector<lint::Hazard> hazards;
  std::vector<DiagnosedStep> rejected;
  std::vector<lint::Hazard> at_end;

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.hazards, r.rejected);
    v.Optional("atEnd", r.at_end,
               {.description = "what would be open at the end"});
  }
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

  // For the document.
  std::vector<RepairedHazard> Hazards() const;
  std::optional<DiagnosedStep> Rejected() const;
  std::optional<LintedRest> Rest() const;
  std::vector<LintNote> Notes() const;

  static void Fields(auto& c, auto& v) {
    v.Required("case", c.id, kFilled);
    v.Derived("path", [&] { return InOneLine(c.path); }, kFilled);
    v.Required("product", c.product);
    v.Required("edition", c.edition, {.description = "of the documents"});
    v.Required("reproduce", c.reproduce, kFilled);
    v.Required("racecheck", c.verdict.racecheck,
               {.description = "whether races were looked for"});
    v.Derived("steps", [&] { return c.ops.size(); });
    v.Derived("hazards", [&] { return c.Hazards(); });
    v.Derived("rejected", [&] { return c.Rejected(); },
              {.description = "the step that ends the program"});
    v.Optional("unsupported", c.verdict.unsupported,
               {.description = "the step that lint can't do"});
    v.Optional("notes", c.Notes(),
               {.description = "rules that note something of executed steps; "
                               "no findings"});
    v.Derived("after", [&] { return c.Rest(); },
              {.description = "what follows the rejected step, as if it did "
                              "nothing"});
    v.Optional("findings", c.findings);
  }
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

  static void Fields(auto& g, auto& v) {
    v.Required("signature", g.signature, kLintSignature);
    LANEDIFF_REQUIRED(v, g.rule, g.group, g.times, g.cases);
    v.Derived("case", [&] { return g.example->id; }, kFilled);
    v.Derived("product", [&] { return g.example->product; });
    v.Derived("message", [&] { return g.finding->message; }, kFilled);
    v.Derived("reproduce", [&] { return g.example->reproduce; }, kFilled);
  }
};

/// What came out, in one sentence; `tone` as in reports/headline.h.
struct LintHeadline {
  std::string sentence;
  std::string tone;
  std::vector<std::string> not_looked_at;

  static void Fields(auto& h, auto& v) {
    v.Required("sentence", h.sentence, kFilled);
    v.Required("tone", h.tone, {.words = kTones});
    v.Required("notLookedAt", h.not_looked_at, {.each = &kFilled});
  }
};

/// All of them.
struct LintRecord {
  std::vector<LintedCase> cases;
  std::vector<MalformedFile> malformed;
  std::string unfinished;  ///< why some weren't looked at; empty if all
  /// Known issues that have expired or did not occur, a line each.
  std::vector<std::string> stale_issues;

  struct Sums {
    std::uint64_t cases = 0;
    std::uint64_t malformed = 0;  ///< files
    std::string unfinished = {};
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
    std::map<std::string, std::uint64_t> by_rule = {};
    std::array<std::uint64_t, isa::kCount<lint::Group>> by_group = {};

    static void Fields(auto& s, auto& v) {
      LANEDIFF_REQUIRED(v, s.cases, s.clean, s.hazards, s.rejected, s.by_rule);
      v.Optional("known", s.known);
      v.Optional("malformed", s.malformed, {.description = "files"});
      v.Optional("unfinished", s.unfinished);
    }
  };
  Sums Sum() const;

  static void Fields(auto& r, auto& v) {
    v.Document("lint");
    v.Derived("headline", [&] { return HeadlineOf(r); });
    CompleteFields(v, ReasonsOf(r));
    v.Derived("groups", [&] { return GroupsOf(r); },
              {.description = "the findings by signature, worst first"});
    v.Required("cases", r.cases,
               {.description = "one for each program and product"});
    v.Derived("summary", [&] { return r.Sum(); });
  }
};

/// What counts of a program: hazards, then the rules of the rejected step.
/// `linted` has its verdict and diagnoses.
std::vector<LintFinding> FindingsOf(const LintedCase& linted,
                                    const std::vector<isa::Step>& program);

/// The findings by signature, worst first: what ends a program, then races and
/// flags, unwritten bytes, masks; of a kind what is found most often.
std::vector<LintGroup> GroupsOf(const LintRecord& record);

LintHeadline HeadlineOf(const LintRecord& record);

/// The diagnosis of step `step`; null if there is none.
const lint::Diagnosis* DiagnosisOf(const LintedCase& linted, std::size_t step);

/// What was found in one program, a line for each hazard and rejected step; at
/// most `most` hazards, 0 for all, with a line for the rest.
Report::Line LintLine(const LintedCase& linted, std::uint64_t most);
std::string LintText(const LintedCase& linted, std::uint64_t most);

/// "clean", "2 hazards", "step 3 rejected" or "step 3 unsupported".
std::string OutcomeOf(const LintedCase& linted);

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

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "differential/testcase/record_json.h"
#include "reports/headline.h"
#include "reports/lint.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

constexpr const char* kLintGroup = "lanediff.lint";

Report::Finding LintResult(const LintedCase& linted,
                           const LintFinding& finding) {
  const std::string name =
      fmt::format("{}/step {}{}{}", finding.op, finding.step,
                  finding.operand.empty() ? "" : "/", finding.operand);
  Report::Finding result = {
      .rule = std::string(finding.rule.text()),
      .message =
          fmt::format("on {}: {}", isa::Name(linted.product), finding.message),
      .place = Report::Place{.file = linted.path,
                             .line = finding.step < linted.lines.size()
                                         ? linted.lines[finding.step]
                                         : 1,
                             .logical = {{name, "parameter"}}},
      .fingerprints = {{"lanediffSignature/v1", finding.signature},
                       {"lanediffCase/v1", linted.id},
                       {"lanediffStep/v1",
                        fmt::format("{}/{}", isa::Name(linted.product), name)}},
      .known = finding.known,
      .properties = {{"product", isa::Name(linted.product)},
                     {"group", isa::Name(lint::GroupOf(finding.rule))},
                     {"step", finding.step},
                     {"reproduce", linted.reproduce}}};
  if (!finding.alone.empty()) result.properties["alone"] = finding.alone;
  return result;
}

Report::Test LintTest(const LintedCase& linted) {
  using enum Report::Outcome;
  Report::Test test = {
      fmt::format("{}.{}", kLintGroup, isa::Name(linted.product)), linted.path};
  const auto news = std::ranges::find_if(
      linted.findings, [](const LintFinding& f) { return f.known.empty(); });
  if (news != linted.findings.end()) {
    test.outcome = kFailed;
    test.message = news->message;
    test.text = LintText(linted, 0) + "reproduce: " + linted.reproduce + "\n";
    test.type = news->signature;
  } else if (!linted.findings.empty()) {
    test.outcome = kSkipped;
    test.text =
        "known: " + linted.findings.front().known + '\n' + LintText(linted, 0);
  } else if (linted.verdict.unsupported) {
    test.outcome = kSkipped;
    test.text =
        fmt::format("unsupported: step {} {}", *linted.verdict.unsupported,
                    linted.ops[*linted.verdict.unsupported]);
  }
  return test;
}

/// The one of the shortest program for each signature.
Report::Line GroupLine(const LintGroup& group) {
  const LintedCase& example = *group.example;
  return {
      .text = fmt::format("{} {}: {} in {}", isa::Name(group.group),
                          group.rule.text(), Counted(group.times, "time"),
                          Counted(group.cases, "program")),
      .below = {{group.finding->message},
                {.text = group.signature, .look = Report::Look::kCode},
                {.text = fmt::format("{} on {}", example.id,
                                     isa::Name(example.product)),
                 .label = "shown by"},
                {.text = example.reproduce, .look = Report::Look::kCommand}}};
}

/// Where programs were looked at on several products: a row for each.
Report::Section ProductsSection(const LintRecord& record) {
  Report::Section section = {.title = "By product", .columns = {{"program"}}};
  std::map<isa::Product, std::size_t> products;
  for (const LintedCase& linted : record.cases) {
    products.try_emplace(linted.product);
  }
  if (products.size() < 2) return section;
  for (auto& [product, column] : products) {
    column = section.columns.size();
    section.columns.push_back({std::string(isa::Name(product))});
  }
  std::map<std::string_view, std::size_t> rows;
  for (const LintedCase& linted : record.cases) {
    const auto [row, fresh] =
        rows.try_emplace(linted.path, section.rows.size());
    if (fresh) {
      section.rows.emplace_back().cells.assign(section.columns.size(), {"–"});
      section.rows.back().cells.front() = {linted.path};
    }
    section.rows[row->second].cells[products.at(linted.product)] = {
        OutcomeOf(linted)};
  }
  if (section.rows.size() == record.cases.size()) section.rows.clear();
  return section;
}

/// Programs with findings.
Report::Section ProgramsSection(const LintRecord& record) {
  Report::Section section = {.title = "Programs"};
  for (const LintedCase& linted : record.cases) {
    if (linted.findings.empty()) continue;
    section.lines.push_back(LintLine(linted, 0));
    section.lines.back().below.push_back(
        {.text = linted.reproduce, .look = Report::Look::kCommand});
  }
  return section;
}

DiagnosedStep Diagnosed(const LintedCase& linted,
                        const lint::RejectedStep& rejected) {
  DiagnosedStep step = {rejected, {}, {}};
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, rejected.step);
  if (diagnosis == nullptr) return step;
  step.witness = diagnosis->witnesses;
  if (diagnosis->repair || diagnosis->looked_for_repair) {
    step.repair.emplace(diagnosis->repair);
  }
  return step;
}

}  // namespace

std::vector<RepairedHazard> LintedCase::Hazards() const {
  std::vector<RepairedHazard> hazards;
  for (const lint::Hazard& hazard : verdict.hazards) {
    hazards.push_back({hazard, {}});
  }
  for (const auto& [number, repair] : hazard_repairs) {
    hazards[number].repair.emplace(repair);
  }
  return hazards;
}

std::optional<DiagnosedStep> LintedCase::Rejected() const {
  if (!verdict.rejected) return std::nullopt;
  return Diagnosed(*this, *verdict.rejected);
}

std::optional<LintedRest> LintedCase::Rest() const {
  if (!verdict.after) return std::nullopt;
  LintedRest rest = {verdict.after->hazards, {}, verdict.after->at_end};
  for (const lint::RejectedStep& step : verdict.after->rejected) {
    rest.rejected.push_back(Diagnosed(*this, step));
  }
  return rest;
}

std::vector<LintNote> LintedCase::Notes() const {
  std::vector<LintNote> notes;
  for (const auto& [rule, steps] : verdict.notes)
    notes.push_back({rule, steps});
  return notes;
}

std::string LintJson(const LintRecord& record) { return RecordText(record); }

std::string OutcomeOf(const LintedCase& linted) {
  const lint::Verdict& verdict = linted.verdict;
  if (verdict.rejected) {
    return fmt::format("step {} rejected", verdict.rejected->step);
  }
  if (verdict.unsupported) {
    return fmt::format("step {} unsupported", *verdict.unsupported);
  }
  return verdict.hazards.empty() ? "clean"
                                 : Counted(verdict.hazards.size(), "hazard");
}

Reasons ReasonsOf(const LintRecord& record) {
  Reasons reasons;
  for (const MalformedFile& file : record.malformed) {
    reasons.push_back({.text = fmt::format("{}: {}", file.path, file.error),
                       .place = Report::Place{.file = file.path},
                       .has_test = true});
  }
  const auto unsupported = record.Sum().unsupported;
  return ReasonsFrom(
      {record.unfinished, record.cases.empty() ? "nothing was looked at" : "",
       unsupported == 0
           ? ""
           : fmt::format("{} of {} programs end at an unsupported step",
                         unsupported, record.cases.size())},
      std::move(reasons));
}

Report ToReport(const LintRecord& record, int exit_status) {
  const LintRecord::Sums sums = record.Sum();
  const LintHeadline headline = HeadlineOf(record);
  Report report = {
      .title = "lint: programs as they were meant",
      .sentence = headline.sentence,
      .tone = ToneOf(headline.tone),
      .sections = {ProductsSection(record), ProgramsSection(record)},
      .summary = LintSummary(record),
      .category = "lanediff/lint/",
      .group = kLintGroup,
      .properties = {{"edition", EditionsOf(record)}},
      .counts = {{"cases", record.cases.size()},
                 {"clean", sums.clean},
                 {"hazards", sums.hazards},
                 {"rejected", sums.rejected},
                 {"unsupported", sums.unsupported},
                 {"malformed", record.malformed.size()},
                 {"known", sums.known}},
      .suites = {{kLintGroup}},
      .reasons = ReasonsOf(record),
      .exit_status = exit_status};
  for (const LintGroup& group : GroupsOf(record)) {
    report.found.push_back(GroupLine(group));
  }
  auto& tests = report.suites.front().tests;
  for (const LintedCase& linted : record.cases) {
    for (const LintFinding& finding : linted.findings) {
      report.findings.push_back(LintResult(linted, finding));
    }
    tests.push_back(LintTest(linted));
  }
  for (const MalformedFile& file : record.malformed) {
    tests.push_back({kLintGroup, file.path, Report::Outcome::kError, file.error,
                     file.path});
  }
  AddStaleIssues(record.stale_issues, report);
  return report;
}

}  // namespace lanediff::reports

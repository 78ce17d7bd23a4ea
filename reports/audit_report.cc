#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/record_json.h"
#include "reports/audit.h"
#include "reports/citations.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using audit::AuditedDisagreement;
using audit::AuditedRule;
using audit::Cell;
using audit::Evidence;

constexpr const char* kAuditGroup = "lanediff.audit";

bool IsReported(audit::Verdict verdict) {
  return IsBad(verdict) || verdict == audit::Verdict::kTolerated;
}

/// A result about one rule on one product, with or without evidence.
Report::Finding CellFinding(const isa::Rule& rule, isa::Product product,
                            audit::Verdict verdict, const Evidence* evidence,
                            const std::string& what) {
  const std::string_view id = rule.id.text();
  const std::string instruction(rule.instruction);
  const std::string name = fmt::format("{}/{}", id, isa::Name(product));
  Report::Finding finding = {
      .rule = std::string(id),
      .level = IsBad(verdict) ? "error" : "note",
      .message =
          fmt::format("{} is {} on {}{}{}", id, isa::Name(verdict),
                      isa::Name(product), what.empty() ? "" : ": ", what),
      .place = Report::Place{.in_report = true,
                             .logical = {{instruction, "function"},
                                         {instruction + "/" + name, "rule"}}},
      .fingerprints = {{"lanediffCell/v1", name}},
      .properties = {{"verdict", isa::Name(verdict)}}};
  if (evidence == nullptr) return finding;
  finding.place->file = evidence->file;
  finding.fingerprints.emplace_back("lanediffCase/v1", evidence->id);
  if (!evidence->signature.empty()) {
    finding.fingerprints.emplace_back("lanediffSignature/v1",
                                      evidence->signature);
  }
  finding.properties["reproduce"] = evidence->reproduce;
  return finding;
}

/// New where no result stood before, updated where another one did.
std::string_view StateOf(const AuditChanges& changes, std::string_view rule,
                         isa::Product product) {
  for (const ChangedCell& cell : changes.cells) {
    if (cell.rule != rule || cell.product != product) continue;
    return cell.before && IsReported(*cell.before) ? "updated" : "new";
  }
  return "unchanged";
}

std::string_view StateOf(const AuditChanges& changes, const std::string& id) {
  for (const ChangedReading& reading : changes.readings) {
    if (reading.id == id) return reading.before ? "updated" : "new";
  }
  return "unchanged";
}

/// A finding for each bad piece of evidence, or one for the cell.
void AddFindings(const AuditedRule& rule, const Cell& cell,
                 const AuditChanges* changes, Report& report) {
  if (!IsReported(cell.verdict)) return;
  const auto add = [&](const Evidence* evidence, const std::string& what) {
    report.findings.push_back(
        CellFinding(*rule.rule, cell.product, cell.verdict, evidence, what));
    if (changes == nullptr) return;
    report.findings.back().since =
        StateOf(*changes, rule.rule->id.text(), cell.product);
  };
  bool any = false;
  for (const Evidence& evidence : cell.evidence) {
    if (!IsBad(cell.verdict) || !IsBad(evidence)) continue;
    add(&evidence, EvidenceText(evidence));
    any = true;
  }
  if (any) return;
  add(cell.evidence.empty() ? nullptr : &cell.evidence.front(),
      TriedText({cell}));
}

Report::Finding DisagreementFinding(const AuditedDisagreement& place,
                                    const AuditChanges* changes) {
  Report::Finding finding = {
      .rule = std::string(kDisagreementRule),
      .level = "note",
      .message = fmt::format("{}; the target follows: {}{}{}", place.title,
                             isa::Name(place.follows),
                             place.message.empty() ? "" : ": ", place.message),
      .fingerprints = {{"lanediffDisagreement/v1", place.id}},
      .since = changes != nullptr ? StateOf(*changes, place.id) : "",
      .properties = {{"disagreement", place.id},
                     {"follows", isa::Name(place.follows)},
                     {"why", place.why},
                     {"reproduce", place.reproduce},
                     {"rules", Report::OrderedJson::array()},
                     {"readings", Report::OrderedJson::array()}}};
  if (!place.file.empty()) {
    finding.place = Report::Place{.file = place.file, .in_report = true};
  }
  for (isa::RuleId rule : place.rules) {
    finding.properties["rules"].push_back(rule.text());
  }
  for (const CitedReading& reading : ReadingsOf(place)) {
    finding.properties["readings"].push_back(RecordJson(reading));
  }
  return finding;
}

/// Results of the baseline that are gone. Rules that are no longer in the
/// catalogue have no place in the document.
void AddAbsent(const AuditChanges& changes, Report& report) {
  for (const ChangedCell& cell : changes.cells) {
    const isa::Rule* const rule = isa::FindRule(cell.rule);
    if (rule == nullptr || !cell.before || !IsReported(*cell.before)) continue;
    if (cell.now && IsReported(*cell.now)) continue;
    report.findings.push_back(
        CellFinding(*rule, cell.product, *cell.before, nullptr,
                    cell.now ? fmt::format("now {}", isa::Name(*cell.now))
                             : "not audited"));
    report.findings.back().since = "absent";
  }
  for (const ChangedReading& reading : changes.readings) {
    if (reading.now) continue;
    report.findings.push_back(
        {.rule = std::string(kDisagreementRule),
         .level = "note",
         .message = reading.id + ": no longer looked at",
         .fingerprints = {{"lanediffDisagreement/v1", reading.id}},
         .since = "absent"});
  }
}

/// Statement, what was tried, and the bad evidence with its commands.
std::string CellText(const AuditedRule& rule, const Cell& cell) {
  std::string text =
      fmt::format("{}\n{} cases compared: {}\n", rule.rule->statement,
                  cell.compared, TriedText({cell}));
  for (const Evidence& evidence : cell.evidence) {
    if (!IsBad(evidence)) continue;
    text += fmt::format("{}\n  reproduce: {}\n", EvidenceText(evidence),
                        evidence.reproduce);
  }
  return text;
}

Report::Test CellTest(const std::string& group, const AuditedRule& rule,
                      const Cell& cell) {
  using audit::Verdict;
  Report::Test test = {group, fmt::format("{} [{}]", rule.rule->id.text(),
                                          isa::Name(cell.product))};
  const std::string verdict(isa::Name(cell.verdict));
  if (IsBad(cell.verdict)) {
    const auto bad = std::ranges::find_if(
        cell.evidence, [](const Evidence& one) { return IsBad(one); });
    const bool has_bad = bad != cell.evidence.end();
    test.outcome = Report::Outcome::kFailed;
    test.message = has_bad ? EvidenceText(*bad) : verdict;
    test.text = CellText(rule, cell);
    test.type = has_bad && !bad->signature.empty() ? bad->signature : verdict;
  } else if (cell.verdict == Verdict::kNotExercised) {
    test.outcome = Report::Outcome::kSkipped;
    test.text = "not exercised: " + cell.reason;
  } else if (cell.verdict == Verdict::kTolerated ||
             cell.verdict == Verdict::kSuspected) {
    test.text = verdict + ShareText(rule) + ": " + TriedText({cell});
  } else if (rule.share) {
    test.text = verdict + ShareText(rule);
  }
  return test;
}

}  // namespace

Reasons ReasonsOf(const audit::AuditRecord& r) {
  return ReasonsFrom(
      {r.stopped.empty() ? "" : "stopped: " + r.stopped,
       r.interrupted ? "interrupted" : "",
       r.skipped > 0 ? Counted(r.skipped, "case") + " could not be run here"
                     : "",
       r.malformed > 0 ? Counted(r.malformed, "unreadable recorded outcome")
                       : "",
       r.Compared() == 0 ? "nothing was compared" : "",
       r.sample_is_meant ? "" : make::TooSmallText(r.sample)});
}

Report ToReport(const audit::AuditRecord& record, int exit_status,
                const AuditChanges* changes) {
  Report report = {
      .summary = AuditSummaryText(record),
      .category = fmt::format("lanediff/audit/{}/", record.target),
      .group = kAuditGroup,
      .properties = {{"target", record.target},
                     {"vectors", record.vectors},
                     {"reference", record.reference},
                     {"edition", std::string(isa::Name(record.edition))}},
      .counts = {{"cases", record.cases},
                 {"compared", record.Compared()},
                 {"unsupported", record.unsupported},
                 {"crashed", record.crashed},
                 {"hung", record.hung}},
      .reasons = ReasonsOf(record),
      .exit_status = exit_status};
  const auto cells = record.Cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    report.counts["cells"][isa::Words<audit::Verdict>::kSpelling[i]] = cells[i];
  }
  // In the order of the catalogue, in which each instruction stands together.
  for (const AuditedRule& rule : record.rules) {
    const std::string group =
        fmt::format("{}.{}", kAuditGroup, rule.rule->instruction);
    if (report.suites.empty() || report.suites.back().name != group) {
      report.suites.push_back({group});
    }
    for (const Cell& cell : rule.cells) {
      AddFindings(rule, cell, changes, report);
      report.suites.back().tests.push_back(CellTest(group, rule, cell));
    }
  }
  const std::string group = fmt::format("{}.disagreements", kAuditGroup);
  report.suites.push_back({group});
  for (const AuditedDisagreement& place : record.disagreements) {
    report.findings.push_back(DisagreementFinding(place, changes));
    Report::Test& test = report.suites.back().tests.emplace_back(
        Report::Test{.group = group, .name = place.id});
    test.text = DisagreementText(place);
    if (place.failures.crashed + place.failures.hung == 0) continue;
    test.outcome = Report::Outcome::kFailed;
    test.message = "the target failed";
  }
  if (changes != nullptr) AddAbsent(*changes, report);
  return report;
}

}  // namespace lanediff::reports

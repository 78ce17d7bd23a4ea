#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "reports/audit.h"
#include "reports/audit_words.h"
#include "reports/junit_nodes.h"

namespace lanediff::reports {
namespace {

using audit::AuditedRule;
using audit::AuditRecord;
using audit::Cell;
using audit::Evidence;

constexpr std::string_view kGroup = "lanediff.audit.";

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

void AddCell(JunitSuite& suite, const AuditedRule& rule, const Cell& cell) {
  pugi::xml_node test = suite.AddTest(
      fmt::format("{}{}", kGroup, rule.rule->instruction),
      fmt::format("{} [{}]", rule.rule->id.text(), isa::Name(cell.product)));
  switch (cell.verdict) {
    case audit::Verdict::kEnforced:
    case audit::Verdict::kConfirmed:
      if (rule.share) {
        JunitSuite::AddOutput(
            test, std::string(isa::Name(cell.verdict)) + ShareText(rule));
      }
      break;
    case audit::Verdict::kTolerated:
    case audit::Verdict::kSuspected:
      JunitSuite::AddOutput(test,
                            fmt::format("{}{}: {}", isa::Name(cell.verdict),
                                        ShareText(rule), TriedText({cell})));
      break;
    case audit::Verdict::kViolated:
    case audit::Verdict::kContradicted: {
      const auto bad = std::ranges::find_if(
          cell.evidence, [](const Evidence& one) { return IsBad(one); });
      const Evidence* const first =
          bad == cell.evidence.end() ? nullptr : &*bad;
      const std::string verdict(isa::Name(cell.verdict));
      suite.AddFailure(test, first != nullptr ? EvidenceText(*first) : verdict,
                       CellText(rule, cell),
                       first != nullptr && !first->signature.empty()
                           ? first->signature
                           : verdict);
      break;
    }
    case audit::Verdict::kNotExercised:
      suite.AddSkipped(test, "not exercised: " + cell.reason);
      break;
  }
}

}  // namespace

std::string AuditJunit(const AuditRecord& record) {
  JunitDocument document;
  document.AddProperty("target", record.target);
  if (!record.vectors.empty()) document.AddProperty("vectors", record.vectors);
  document.AddProperty("edition", std::string(isa::Name(record.edition)));
  // In the order of the catalogue, in which each instruction stands together.
  std::map<std::string_view, JunitSuite> suites;
  for (const AuditedRule& rule : record.rules) {
    const std::string_view instruction = rule.rule->instruction;
    if (!suites.contains(instruction)) {
      suites.emplace(instruction, document.AddSuite(fmt::format("{}{}", kGroup,
                                                                instruction)));
    }
    for (const Cell& cell : rule.cells) {
      AddCell(suites.at(instruction), rule, cell);
    }
  }
  const std::string group = "lanediff.audit.disagreements";
  JunitSuite places = document.AddSuite(group);
  for (const auto& place : record.disagreements) {
    JunitSuite::AddOutput(places.AddTest(group, place.id),
                          DisagreementText(place));
  }
  if (!record.stopped.empty() || record.interrupted) {
    JunitSuite suite = document.AddSuite("lanediff.audit");
    suite.AddBare("lanediff.audit", "complete", "error",
                  record.interrupted ? "interrupted" : record.stopped,
                  AuditSummaryText(record));
  }
  return document.Text();
}

}  // namespace lanediff::reports

#include "differential/compare/answers.h"

#include <fmt/format.h>

#include <string_view>

#include "differential/compare/rule_text.h"

namespace lanediff::diff {
namespace {

std::string_view StatusWord(const Answer& answer) {
  return answer.rejected ? "rejected" : "executed";
}

}  // namespace

Answer AnswerOf(const isa::StepResult& result) {
  return {.rejected = result.status == isa::StepResult::Status::kRejected,
          .rules = {result.rules.begin(), result.rules.end()},
          .notes = {result.notes.begin(), result.notes.end()}};
}

std::optional<Finding> CompareAnswers(const Answer& expected,
                                      const Answer& actual) {
  Finding finding;
  if (expected.rejected != actual.rejected) {
    finding.kind = FindingKind::kOutcome;
    finding.message = fmt::format(
        "expected {}{}, found {}{}", StatusWord(expected),
        RuleList(expected.rules), StatusWord(actual), RuleList(actual.rules));
    finding.expected_rules = expected.rules;
    finding.actual_rules = actual.rules;
    return finding;
  }
  const bool same_rules = expected.rules == actual.rules;
  if (same_rules && expected.notes == actual.notes) return std::nullopt;
  finding.kind = same_rules ? FindingKind::kNotes : FindingKind::kRules;
  finding.expected_rules = same_rules ? expected.notes : expected.rules;
  finding.actual_rules = same_rules ? actual.notes : actual.rules;
  finding.message =
      fmt::format("{} differ: {}", isa::Name(finding.kind),
                  RuleDifference(finding.expected_rules, finding.actual_rules));
  return finding;
}

}  // namespace lanediff::diff

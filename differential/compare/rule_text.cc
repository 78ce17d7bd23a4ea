#include "differential/compare/rule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>

namespace lanediff::diff {
namespace {

std::string Join(const std::vector<isa::RuleId>& rules) {
  return fmt::format(
      "{}", fmt::join(rules | std::views::transform(&isa::RuleId::text), ", "));
}

std::string_view StatusWord(const Answer& answer) {
  return answer.rejected ? "rejected" : "executed";
}

}  // namespace

std::string RuleList(const std::vector<isa::RuleId>& rules) {
  return rules.empty() ? "" : " for " + Join(rules);
}

std::string RuleDifference(const std::vector<isa::RuleId>& expected,
                           const std::vector<isa::RuleId>& actual) {
  std::vector<isa::RuleId> missing;
  std::vector<isa::RuleId> unexpected;
  std::ranges::set_difference(expected, actual, std::back_inserter(missing));
  std::ranges::set_difference(actual, expected, std::back_inserter(unexpected));
  std::string text;
  if (!missing.empty()) text += "missing " + Join(missing);
  if (!missing.empty() && !unexpected.empty()) text += "; ";
  if (!unexpected.empty()) text += "unexpected " + Join(unexpected);
  return text;
}

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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "differential/compare/finding.h"
#include "isa/rule.h"
#include "isa/step.h"

/// Sets of rules in messages.
namespace lanediff::diff {

/// " for A, B", or nothing.
std::string RuleList(const std::vector<isa::RuleId>& rules);

/// "missing A; unexpected B" of two sorted lists.
std::string RuleDifference(const std::vector<isa::RuleId>& expected,
                           const std::vector<isa::RuleId>& actual);

/// What a side answered, memory aside: executed or rejected, the rules for
/// which it rejected and what it noted, both sorted.
struct Answer {
  bool rejected = false;
  std::vector<isa::RuleId> rules;
  std::vector<isa::RuleId> notes;
};

/// The answer of a step that was executed or rejected.
Answer AnswerOf(const isa::StepResult& result);

/// How `actual` differs: an outcome, rules or notes finding, the first of them
/// that applies, with its rules and its message and nothing else.
std::optional<Finding> CompareAnswers(const Answer& expected,
                                      const Answer& actual);

}  // namespace lanediff::diff

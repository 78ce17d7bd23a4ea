#include "differential/compare/rule_text.h"

#include <algorithm>
#include <iterator>

namespace lanediff::diff {
namespace {

std::string Join(const std::vector<isa::RuleId>& rules) {
  std::string text;
  for (isa::RuleId rule : rules) {
    if (!text.empty()) text += ", ";
    text += rule.text();
  }
  return text;
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

}  // namespace lanediff::diff

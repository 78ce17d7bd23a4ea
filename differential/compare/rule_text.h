#pragma once

#include <string>
#include <vector>

#include "isa/rule.h"

/// Sets of rules in messages.
namespace lanediff::diff {

/// " for A, B", or nothing.
std::string RuleList(const std::vector<isa::RuleId>& rules);

/// "missing A; unexpected B" of two sorted lists.
std::string RuleDifference(const std::vector<isa::RuleId>& expected,
                           const std::vector<isa::RuleId>& actual);

}  // namespace lanediff::diff

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "audit/audit.h"

/// Queries of tests on the record of an audit on one product.
namespace lanediff::audit::test {

inline const Cell& CellOf(const AuditRecord& record, isa::RuleId id) {
  const auto rule = std::ranges::find_if(
      record.rules, [&](const auto& one) { return one.rule->id == id; });
  EXPECT_NE(rule, record.rules.end());
  EXPECT_EQ(rule->cells.size(), 1u);
  return rule->cells.front();
}

inline std::set<std::string_view> RulesThatAre(const AuditRecord& record,
                                               Verdict verdict) {
  std::set<std::string_view> rules;
  for (const AuditedRule& rule : record.rules) {
    if (rule.verdict == verdict) rules.insert(rule.rule->id.text());
  }
  return rules;
}

inline std::uint64_t Sum(const ShowingCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

inline std::uint64_t Elsewhere(const Cell& cell) {
  std::uint64_t sum = 0;
  for (const auto& one : cell.elsewhere) sum += one.wrong;
  return sum;
}

/// Every case that rests on a semantics rule is counted once.
inline void ExpectSumsAddUp(const AuditRecord& record) {
  for (const AuditedRule& rule : record.rules) {
    if (rule.rule->effect != isa::Effect::kSemantics) continue;
    for (const Cell& cell : rule.cells) {
      EXPECT_EQ(cell.compared,
                Sum(cell.alone) + Sum(cell.together) + Elsewhere(cell))
          << rule.rule->id.text();
      std::uint64_t own = 0;
      for (const WrongPart& part : cell.wrong) own += part.wrong;
      EXPECT_EQ(own,
                cell.alone[static_cast<std::size_t>(Showing::kDifferently)])
          << rule.rule->id.text();
    }
  }
}

/// Which rule is blamed for what, for the message of a failed test.
inline std::string FaultsIn(const AuditRecord& record) {
  std::string text;
  for (const AuditedRule& rule : record.rules) {
    for (const WrongPart& part : rule.cells.front().wrong) {
      text += std::string(rule.rule->id.text()) + " " + part.where + ": " +
              std::to_string(part.wrong) + " wrong, " +
              std::to_string(part.right) + " right\n";
    }
  }
  return text;
}

using Ids = std::set<std::string_view>;

}  // namespace lanediff::audit::test

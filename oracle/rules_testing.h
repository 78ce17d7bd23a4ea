#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/testing.h"

/// For tests of rules: which ones a step breaks.
namespace lanediff::oracle::test {

using Ids = std::vector<std::string>;

inline Ids Texts(const isa::RuleSet& rules) {
  Ids texts;
  for (isa::RuleId id : rules) texts.emplace_back(id.text());
  return texts;
}

inline Ids Only(isa::RuleId id) { return {std::string(id.text())}; }

/// The rules that `step` breaks on a new machine, where it must not change a
/// byte, compute or report anything if it breaks one.
inline Ids Broken(const isa::Step& step,
                  isa::Profile profile = isa::Product::kAtlasA2) {
  Machine m(profile);
  const auto before = m.ub;
  const isa::StepResult result = m.Execute(step);
  const bool rejected = result.status == isa::StepResult::Status::kRejected;
  EXPECT_EQ(rejected, !result.rules.empty());
  if (rejected) {
    EXPECT_EQ(m.ub, before);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_TRUE(m.oracle.accesses().empty());
    EXPECT_EQ(m.oracle.node_count(), 0U);
  } else {
    EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
  }
  return Texts(result.rules);
}

}  // namespace lanediff::oracle::test

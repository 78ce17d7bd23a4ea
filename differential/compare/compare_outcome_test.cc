#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/recorded/target.h"
#include "emulator/mutants/mutant.h"
#include "isa/catalogue.h"

namespace lanediff::diff {
namespace {

Outcome Read(const Case& c, std::string_view text) {
  const auto outcome = ReadOutcome(text, c);
  EXPECT_TRUE(outcome) << outcome.error().pointer << ": "
                       << outcome.error().message;
  return outcome.value_or(Outcome());
}

struct Row {
  const char* name;
  std::string_view repeat;
  std::string outcome;
  FindingKind kind = FindingKind::kMemory;
  std::string_view signature = "";  ///< empty: it agrees
  std::string_view message = "";    ///< its beginning
  std::size_t findings = 1;
};

class Recorded : public testing::TestWithParam<Row> {};

constexpr std::string_view kOk = "1";
constexpr std::string_view kBad = "256";
const std::vector<Row> kRows = {
    {"Right", kOk, std::string(kGoodOutcome)},
    {"RightWithoutNotes", kOk, Executed(Sums())},
    {"RightWithAnotherNan", kOk, Executed(Sums("004255fe"))},
    {"RightWithUnchangedBytes", kOk,
     Executed(Sums("0042007ea5a5a5", "0049a5"))},
    {"OneUlp", kOk, Executed(Sums("0142007e"), R"(, "target": "card\n7")"),
     FindingKind::kMemory, "memory/repeat_reduce_sum/value/half",
     "step 1 RepeatReduceSum: UB byte 0 (dst element of iteration 0 lane 0, "
     "half): expected 3 (0x4200), found 3.002 (0x4201), 1 ULP apart; 1 byte "
     "differs in all (observed: card?7)"},
    {"NumberInsteadOfNan", kOk, Executed(Sums("0042007c")),
     FindingKind::kMemory, "memory/repeat_reduce_sum/nan/half",
     "step 1 RepeatReduceSum: UB byte 2"},
    {"LastStepMissing", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "hex": "0042007e"}]}})",
     FindingKind::kMemory, "memory/repeat_reduce_sum/missing/half",
     "step 2 RepeatReduceSum: UB byte 64"},
    {"StrayByte", kOk,
     Executed(Sums("0042007e", "0049", R"(, {"at": 4095, "hex": "00"})")),
     FindingKind::kMemory, "memory/repeat_reduce_sum/outside/half",
     "step 2 RepeatReduceSum: UB byte 4095 (which no operand was to write): "
     "expected 165 (0xa5), found 0 (0x00)"},
    {"OneNoteTooFew", kOk, Executed(Sums(), R"(, "notes": [])"),
     FindingKind::kNotes,
     "notes/repeat_reduce_sum/RRS-PREFER-WHOLE-REDUCE-SUM/half",
     "step 1 RepeatReduceSum: notes differ: missing "
     "RRS-PREFER-WHOLE-REDUCE-SUM"},
    {"OneNoteTooMany", kOk,
     Executed(
         Sums(),
         R"(, "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM", "RRS-REPEAT-ZERO"])"),
     FindingKind::kNotes, "notes/repeat_reduce_sum/RRS-REPEAT-ZERO/half",
     "step 1 RepeatReduceSum: notes differ: unexpected RRS-REPEAT-ZERO"},
    {"RejectedInsteadOfExecuted", kOk,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"]})",
     FindingKind::kOutcome, "outcome/repeat_reduce_sum/RRS-REPEAT/half",
     "step 2 RepeatReduceSum: expected executed, found rejected for "
     "RRS-REPEAT"},
    {"RejectedWithoutRules", kOk, R"({"outcome": "rejected", "step": 0})",
     FindingKind::kOutcome, "outcome/set_saturation/step/none",
     "step 0 SetSaturation: expected executed, found rejected"},
    {"RejectedWithItsMemory", kOk,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "memory": {"UB": [{"at": 0, "hex": "0042007e"}]}})",
     FindingKind::kOutcome, "outcome/repeat_reduce_sum/RRS-REPEAT/half",
     "step 2 RepeatReduceSum: expected executed", 2},
    {"Rejected", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"]})"},
    {"RejectedByWhatKnowsNoRules", kBad,
     R"({"outcome": "rejected", "step": 2})"},
    {"RejectedWithEveryField", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
         "memory": {"UB": [{"at": 0, "hex": "0042007e"}]}})"},
    {"RejectedForNothing", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": []})", FindingKind::kRules,
     "rules/repeat_reduce_sum/RRS-REPEAT/half",
     "step 2 RepeatReduceSum: rules differ: missing RRS-REPEAT"},
    {"RejectedForAnother", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-ELEMS"]})",
     FindingKind::kRules, "rules/repeat_reduce_sum/RRS-ELEMS/half",
     "step 2 RepeatReduceSum: rules differ: missing RRS-REPEAT; unexpected "
     "RRS-ELEMS"},
    {"RejectedTooEarly", kBad,
     R"({"outcome": "rejected", "step": 1, "rules": ["RRS-REPEAT"],
         "memory": {}})",
     FindingKind::kOutcome, "outcome/repeat_reduce_sum/RRS-REPEAT/half",
     "step 1 RepeatReduceSum: expected executed, found rejected for "
     "RRS-REPEAT",
     2},
    {"RejectedAfterAWrite", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "memory": {"UB": [{"at": 0, "hex": "0042007e"},
                           {"at": 64, "hex": "0049"}]}})",
     FindingKind::kMemory, "memory/repeat_reduce_sum/outside/half",
     "step 1 RepeatReduceSum: UB byte 64"},
    {"ExecutedInsteadOfRejected", kBad,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "hex": "0042007e"}]}})",
     FindingKind::kOutcome, "outcome/repeat_reduce_sum/RRS-REPEAT/half",
     "step 2 RepeatReduceSum: expected rejected for RRS-REPEAT, found "
     "executed"},
    {"ExecutedAndWrote", kBad, Executed(Sums()), FindingKind::kOutcome,
     "outcome/repeat_reduce_sum/RRS-REPEAT/half",
     "step 2 RepeatReduceSum: expected rejected", 1},
};

TEST_P(Recorded, IsHeldAgainstTheReference) {
  const Row& row = GetParam();
  const Case c = TwoSums(row.repeat);
  const Outcome recorded = Read(c, row.outcome);
  for (const Target* reference : {&Oracle(), &Emulator()}) {
    const Comparison result =
        CompareFixed(c, recorded, "recorded:x", *reference);
    EXPECT_FALSE(result.unsupported);
    if (row.signature.empty()) {
      EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
      continue;
    }
    ASSERT_EQ(result.findings.size(), row.findings);
    const Finding& finding = result.findings.front();
    EXPECT_EQ(finding.kind, row.kind);
    EXPECT_EQ(finding.signature, row.signature);
    EXPECT_TRUE(finding.message.starts_with(row.message)) << finding.message;
    EXPECT_EQ(finding.side, "recorded:x");
    EXPECT_EQ(finding.reference, reference->name());
    EXPECT_EQ(finding.op, isa::OpName(c.program[finding.step]));
  }
}

INSTANTIATE_TEST_SUITE_P(Outcomes, Recorded, testing::ValuesIn(kRows),
                         [](const auto& tested) {
                           return std::string(tested.param.name);
                         });

TEST(CompareOutcome, CountsWhatItComparedAndNoMore) {
  const Case c = TwoSums();
  const Comparison all = CompareFixed(c, Read(c, kGoodOutcome));
  EXPECT_EQ(all.steps, 3u);
  EXPECT_EQ(all.compared_bytes, 4096);
  EXPECT_EQ(all.written_elements, 3);
  EXPECT_EQ(all.most_iterations, 2);
  EXPECT_GT(all.nodes, 0u);
  EXPECT_FALSE(all.rejected);
  const Comparison early =
      CompareFixed(c, Read(c, R"({"outcome": "rejected", "step": 1})"));
  EXPECT_EQ(early.steps, 2u);
  EXPECT_EQ(early.compared_bytes, 0);
}

TEST(CompareOutcome, WhatWasNotDoneThereIsUnsupported) {
  const Case c = TwoSums();
  const Comparison result = CompareFixed(
      c, Read(c, R"({"outcome": "unsupported", "step": 1, "target": "sim"})"));
  EXPECT_TRUE(result.unsupported);
  EXPECT_FALSE(result.unrecorded);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.why, "recorded as unsupported at step 1 (observed: sim)");
}

TEST(CompareOutcome, MoreRulesThanAStepCanBreak) {
  const Case c = TwoSums("256");
  Outcome recorded =
      Read(c, R"({"outcome": "rejected", "step": 2, "rules": []})");
  for (const isa::Rule& rule : isa::Catalogue()) {
    recorded.rules->push_back(rule.id);
  }
  std::ranges::sort(*recorded.rules);
  recorded.notes = recorded.rules;
  EXPECT_GT(recorded.rules->size(), isa::RuleSet::kInPlace);
  const auto findings = CompareFixed(c, recorded).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kRules);
}

TEST(CompareOutcome, ADifferenceIsOfTheStepThatWroteTheElementLast) {
  Case c = TwoSums();
  std::get<isa::Call>(c.program[2]).dst().at = 0;
  const auto findings =
      CompareFixed(c, Read(c, R"({"outcome": "executed", "memory": {"UB": [
          {"at": 0, "hex": "0042007e"}]}})"))
          .findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].step, 2u) << findings[0].message;
  EXPECT_EQ(findings[0].difference->before, 0x4200u) << "what step 1 left";
  EXPECT_EQ(findings[0].signature, "memory/repeat_reduce_sum/missing/half");
}

TEST(CompareOutcome, TheExpectationSeesWhatWasObservedOnly) {
  const Case wrong = TwoSums(
      "256", R"({"outcome": "rejected", "step": 2, "rules": ["RRS-ELEMS"],
                 "notes": ["RRS-REPEAT-ZERO"], "memory": {}})");
  const auto expected = [&](std::string_view text) {
    const auto found = CompareWithExpectation(wrong, Read(wrong, text), "r");
    return found ? found->message : "";
  };
  EXPECT_EQ(expected(R"({"outcome": "rejected", "step": 2})"), "");
  EXPECT_EQ(expected(R"({"outcome": "rejected", "step": 2, "memory": {},
                         "rules": ["RRS-ELEMS"],
                         "notes": ["RRS-REPEAT-ZERO"]})"),
            "");
  EXPECT_NE(expected(R"({"outcome": "rejected", "step": 1})"), "");
  EXPECT_NE(expected(R"({"outcome": "rejected", "step": 2,
                         "rules": ["RRS-REPEAT"]})"),
            "");
  EXPECT_NE(expected(R"({"outcome": "rejected", "step": 2,
                         "notes": []})"),
            "");
  EXPECT_NE(expected(R"({"outcome": "rejected", "step": 2,
                         "memory": {"UB": [{"at": 0, "hex": "00"}]}})"),
            "");
  EXPECT_EQ(expected(R"({"outcome": "executed", "memory": {},
                         "target": "x"})"),
            "expected rejected for RRS-ELEMS, found executed (observed: x)");
}

TEST(CompareOutcome, WhatIsUnspecifiedIsNotRead) {
  std::size_t seen = 0;
  for (const Case& c : Corpus()) {
    const auto unspecified = UnspecifiedAfter(c, c.program.size());
    if (unspecified.empty()) continue;
    const auto [memory, at, bytes] = unspecified[0];
    const auto before = MemorySet(c)[memory][static_cast<std::size_t>(at)];
    const std::string text = fmt::format(
        R"({{"outcome": "executed", "memory": {{"{}": [{{"at": {}, "hex":
            "{:02x}"}}]}}}})",
        isa::Name(memory), at, before ^ 0xff);
    EXPECT_EQ(*Read(c, text).memory, RegionsByMemory()) << c.id;
    ++seen;
  }
  EXPECT_GT(seen, 20u);
}

/// What a recording can show of a finding.
std::vector<std::string> Reported(const Comparison& result) {
  std::vector<std::string> reported;
  for (const Finding& finding : result.findings) {
    // Nor what is seen where other bytes stand.
    if (finding.kind == FindingKind::kReadsOutside ||
        finding.message.find("(seen where ") != std::string::npos) {
      continue;
    }
    reported.push_back(finding.signature + " " + finding.message);
  }
  return reported;
}

TEST(CompareOutcome, ReportsOneStepAsTheStepwiseComparison) {
  std::size_t number = 0;
  std::size_t found = 0;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    const std::string name = "mutant:" + std::string(mutant.name);
    const Target& target = **FindTarget(name);
    for (const Case& c : Corpus()) {
      if (c.program.size() != 1 || !c.id.starts_with(mutant.slug)) continue;
      if (++number % 25 != 0) continue;  // all take minutes
      const Comparison stepwise = CompareCase(c, target, Oracle());
      const Comparison recorded =
          CompareFixed(c, target.Run(c).value(), name, Oracle());
      EXPECT_EQ(Reported(recorded), Reported(stepwise)) << c.id << " " << name;
      found += !Reported(recorded).empty();
    }
  }
  EXPECT_GT(found, 50u);
}

}  // namespace
}  // namespace lanediff::diff

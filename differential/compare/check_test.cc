#include "differential/compare/check.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "differential/compare/testing.h"

namespace lanediff::diff {
namespace {

/// The emulator, but that a byte is wrong in the runs that are `bad`.
AlteredTarget Moody(bool (*bad)(int run)) {
  return AlteredTarget([=](const AlteredTarget::Step& step) {
    if (bad(step.run)) step.Ub(0) = 0x77;
  });
}

struct ExpectRow {
  const char* name;
  std::string_view repeat;
  std::string expect;
  std::string_view message;  ///< empty: as expected
};

class Expected : public testing::TestWithParam<ExpectRow> {};

constexpr std::string_view kOk = "1";
constexpr std::string_view kBad = "256";
const std::vector<ExpectRow> kExpectRows = {
    {"Right", kOk,
     R"({"outcome": "executed", "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
         "memory": {"UB": [{"at": 0, "dtype": "half", "values": [3, "nan"]},
                           {"at": 64, "dtype": "half", "values": [10]}]}})",
     ""},
    {"RightInHex", kOk, Executed(Sums()), ""},
    {"RightWithAnotherNan", kOk, Executed(Sums("004255fe")), ""},
    {"OneUlp", kOk, Executed(Sums("0142007e")),
     "UB byte 0 (dst element of iteration 0 lane 0, "
     "half): expected 3.002 (0x4201), found 3 (0x4200), 1 ULP apart"},
    {"NumberInsteadOfNan", kOk, Executed(Sums("0042007c")), "UB byte 2"},
    {"ByteThatStays", kOk,
     Executed(Sums("0042007e", "0049", R"(, {"at": 4095, "hex": "a6"})")),
     "UB byte 4095 (which no operand was to write): expected 166 (0xa6), "
     "found 165 (0xa5)"},
    {"UnlistedByteThatChanges", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": [3, "nan"]}]}})",
     "UB byte 64"},
    {"NoMemoryMeansNoChange", kOk, R"({"outcome": "executed"})", "UB byte 0"},
    {"TooManyNotes", kOk,
     Executed(
         Sums(),
         R"(, "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM", "RRS-REPEAT-ZERO"])"),
     "notes differ: missing RRS-REPEAT-ZERO"},
    {"NoNotes", kOk, Executed(Sums(), R"(, "notes": [])"),
     "notes differ: unexpected RRS-PREFER-WHOLE-REDUCE-SUM"},
    {"RejectedInsteadOfExecuted", kOk,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"]})",
     "expected rejected for RRS-REPEAT, found executed"},
    {"Rejected", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"]})", ""},
    {"RejectedWithMemory", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
         "memory": {"UB": [{"at": 0, "hex": "0042007e"}]}})",
     ""},
    {"RejectedWithWrongMemory", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "memory": {}})",
     "UB byte 0"},
    {"RejectedWithWrongNotes", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-REPEAT"],
         "notes": []})",
     "notes differ: unexpected RRS-PREFER-WHOLE-REDUCE-SUM"},
    {"OtherStep", kBad,
     R"({"outcome": "rejected", "step": 1, "rules": ["RRS-REPEAT"]})",
     "expected step 1 to be rejected, found step 2"},
    {"OtherRule", kBad,
     R"({"outcome": "rejected", "step": 2, "rules": ["RRS-ELEMS"]})",
     "rules differ: missing RRS-ELEMS; unexpected RRS-REPEAT"},
    {"OneRuleTooMany", kBad,
     R"({"outcome": "rejected", "step": 2,
         "rules": ["RRS-ELEMS", "RRS-REPEAT"]})",
     "rules differ: missing RRS-ELEMS"},
    {"NoRule", kBad, R"({"outcome": "rejected", "step": 2, "rules": []})",
     "rules differ: unexpected RRS-REPEAT"},
    {"ExecutedInsteadOfRejected", kBad, R"({"outcome": "executed"})",
     "expected executed, found rejected for RRS-REPEAT"},
};

TEST_P(Expected, IsHeldAgainstBothSides) {
  const ExpectRow& row = GetParam();
  const Case c = TwoSums(row.repeat, row.expect);
  const Comparison result = CheckCase(c, Emulator(), Oracle());
  const auto alone =
      CompareWithExpectation(c, Emulator().Run(c).value(), "emulator");
  if (row.message.empty()) {
    EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
    EXPECT_FALSE(alone);
    return;
  }
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].side, "emulator");
  EXPECT_EQ(result.findings[1].side, "oracle");
  for (const Finding& finding : result.findings) {
    EXPECT_EQ(finding.kind, FindingKind::kExpectation);
    EXPECT_EQ(finding.reference, "expect");
    EXPECT_EQ(finding.message.find('\n'), std::string::npos);
  }
  EXPECT_NE(result.findings[0].message.find(row.message), std::string::npos)
      << result.findings[0].message;
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->message, result.findings[0].message);
}

INSTANTIATE_TEST_SUITE_P(All, Expected, testing::ValuesIn(kExpectRows),
                         [](const auto& row) { return row.param.name; });

TEST(CheckCase, ATargetThatDiffersInItsSecondRunIsNotDeterministic) {
  // Sessions 0 and 1 compare step by step, 2 is a whole run, and 3 another one
  // where something is odd.
  const AlteredTarget moody = Moody([](int run) { return run == 2; });
  const Comparison result = CheckCase(TwoSums(), moody, Oracle());
  EXPECT_EQ(moody.runs(), 4);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::kNotDeterministic);
  EXPECT_EQ(result.findings[0].side, "altered");
  // A target that is always wrong runs twice, and may differ then.
  const AlteredTarget wrong = Moody([](int run) { return run != 3; });
  EXPECT_EQ(CheckCase(TwoSums(), wrong, Oracle()).findings.back().kind,
            FindingKind::kNotDeterministic);
  const AlteredTarget calm = Moody([](int) { return false; });
  EXPECT_TRUE(CheckCase(TwoSums(), calm, Oracle()).findings.empty());
  EXPECT_EQ(calm.runs(), 3);
}

TEST(CheckCase, ReportsAWrongTargetAgainstReferenceAndExpectation) {
  const AlteredTarget wrong = Moody([](int) { return true; });
  const Comparison result =
      CheckCase(TwoSums("1", Executed(Sums())), wrong, Oracle());
  ASSERT_EQ(result.findings.size(), 4u) << "three steps and the expectation";
  EXPECT_EQ(result.findings[0].kind, FindingKind::kMemory);
  EXPECT_EQ(result.findings[3].kind, FindingKind::kExpectation);
  EXPECT_EQ(result.findings[3].side, "altered");
  EXPECT_EQ(result.findings[3].signature, result.findings[0].signature);
}

TEST(Run, ReportsMaximalChangedRanges) {
  const Outcome outcome = Emulator().Run(TwoSums("256")).value();
  EXPECT_EQ(outcome.status, Outcome::Status::kRejected);
  EXPECT_EQ(outcome.step, 2u);
  EXPECT_EQ(outcome.rules, (std::vector{isa::RuleId("RRS-REPEAT")}));
  EXPECT_EQ(outcome.notes,
            (std::vector{isa::RuleId("RRS-PREFER-WHOLE-REDUCE-SUM")}));
  const auto& ub = (*outcome.memory)[isa::Memory::kUb];
  ASSERT_EQ(ub.size(), 1u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes, (std::vector<std::uint8_t>{0x00, 0x42, 0x00, 0x7e}));
}

TEST(ToExpectation, IsWhatTheSameTargetMeets) {
  for (std::string_view repeat : {"1", "0", "256"}) {
    Case c = TwoSums(repeat);
    c.expect = ToExpectation(Oracle().Run(c).value());
    EXPECT_EQ(c.expect->rejected, repeat == "256");
    EXPECT_TRUE(CheckCase(c, Emulator(), Oracle()).findings.empty());
    c.expect->memory.value()[isa::Memory::kUb][0].bytes[0] ^= 1;
    EXPECT_EQ(CheckCase(c, Emulator(), Oracle()).findings.size(), 2u);
  }
}

/// A target that counts the programs it begins; given whole cases only, it
/// has no steps.
class Counting final : public TargetAround {
 public:
  explicit Counting(std::string_view name, bool steps = true)
      : TargetAround(**FindTarget(name)), steps_(steps) {}

  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    ++runs_;
    return inner_steps().Open(profile, memories);
  }
  std::expected<Outcome, NoOutcome> Run(const Case& c) const override {
    if (steps_) return TargetAround::Run(c);
    ++runs_;
    return inner_steps().Run(c);
  }
  const StepwiseTarget* stepwise() const override {
    return steps_ ? this : nullptr;
  }

  int Take() { return std::exchange(runs_, 0); }

 private:
  bool steps_;
  mutable int runs_ = 0;
};

TEST(Examine, KeepsTheOutcomesThatWholeRunsGiveInAsFewRuns) {
  struct Row {
    const char* name;
    bool steps;
    int runs;
    int runs_of_findings;
    bool disagrees;
  };
  for (const Row& row :
       {Row{"emulator", true, 3, 3, false}, Row{"emulator", false, 1, 1, false},
        Row{"mutant:rrs-left-fold", true, 3, 4, true}}) {
    SCOPED_TRACE(row.name);
    Counting target(row.name, row.steps);
    Counting reference("oracle");
    int disagree = 0;
    for (const Case& c : Corpus()) {
      const Examination all = Examine(c, target, reference);
      const bool found = !all.comparison.findings.empty();
      EXPECT_EQ(target.Take(), found ? row.runs_of_findings : row.runs) << c.id;
      EXPECT_EQ(reference.Take(), 1) << c.id;
      EXPECT_EQ(all.target, row.name);
      EXPECT_EQ(all.target_outcome, (**FindTarget(row.name)).Run(c).value())
          << c.id;
      EXPECT_EQ(all.reference, "oracle");
      EXPECT_EQ(all.reference_outcome, Oracle().Run(c).value()) << c.id;
      disagree += found;
    }
    EXPECT_EQ(disagree > 3, row.disagrees);
    EXPECT_EQ(disagree > 0, row.disagrees);
  }
}

TEST(Examine, ReportsWhyThereIsNoOutcome) {
  const auto recorded = FindTarget("recorded:" + testing::TempDir());
  ASSERT_TRUE(recorded) << recorded.error();
  const Examination all = Examine(TwoSums(), **recorded, Oracle());
  EXPECT_FALSE(all.target_outcome);
  EXPECT_EQ(all.why_none, all.comparison.why);
  EXPECT_NE(all.why_none, "");
  EXPECT_EQ(all.reference_outcome, Oracle().Run(TwoSums()).value());
  EXPECT_EQ(ExamineReference(TwoSums(), **recorded, Oracle()).reference_outcome,
            all.reference_outcome);
}

}  // namespace
}  // namespace lanediff::diff

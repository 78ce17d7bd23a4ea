#include "differential/compare/check.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::diff {
namespace {

using isa::Memories;
using isa::Memory;

const StepwiseTarget& Oracle() { return **FindStepwiseTarget("oracle"); }
const StepwiseTarget& Emulator() { return **FindStepwiseTarget("emulator"); }

/// The emulator, but that a byte is wrong in the `bad_run`-th session.
class MoodyTarget final : public StepwiseTarget {
 public:
  explicit MoodyTarget(std::function<bool(int run)> bad_run)
      : bad_run_(std::move(bad_run)) {}

  std::string_view name() const override { return "moody"; }
  std::string_view description() const override { return "for this test"; }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                Memories memories) const override {
    return std::make_unique<MoodySession>(bad_run_(runs_++), memories,
                                          Emulator().Open(profile, memories));
  }
  int runs() const { return runs_; }

 private:
  class MoodySession final : public Session {
   public:
    MoodySession(bool bad, Memories memories, std::unique_ptr<Session> model)
        : bad_(bad), memories_(memories), model_(std::move(model)) {}
    isa::StepResult Execute(const isa::Step& step) override {
      auto result = model_->Execute(step);
      if (bad_) memories_[Memory::kUb][0] = 0x77;
      return result;
    }

   private:
    bool bad_;
    Memories memories_;
    std::unique_ptr<Session> model_;
  };

  std::function<bool(int)> bad_run_;
  mutable int runs_ = 0;
};

/// Answers every step with "unsupported".
class UnableTarget final : public StepwiseTarget {
 public:
  std::string_view name() const override { return "unable"; }
  std::string_view description() const override { return "for this test"; }
  std::unique_ptr<Session> Open(isa::Profile, Memories) const override {
    class UnableSession final : public Session {
      isa::StepResult Execute(const isa::Step&) override {
        return {.status = isa::StepResult::Status::kUnsupported,
                .rules = {},
                .notes = {}};
      }
    };
    return std::make_unique<UnableSession>();
  }
};

/// Two sums: [10, nan] at UB 0, then one step of `repeat` that is rejected if
/// that is 256.
Case CaseOf(std::string_view expect, std::string_view repeat = "1") {
  std::string text = R"({ "format": "lanediff-case/1", "id": "t",
    "product": "atlas-a2", "memory": { "UB": { "fill": "a5", "size": 4096,
      "regions": [ { "at": 1024, "dtype": "half", "values": [1, 2, 3, 4] },
                   { "at": 1280, "dtype": "half", "values": ["inf", "-inf"] }
      ] } },
    "program": [ { "op": "SetSaturation", "enabled": false },
      { "op": "RepeatReduceSum", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
        "src": { "position": "VECIN", "at": 1024, "bytes": 512 },
        "repeat": 2, "elemsInOneRepeat": 2, "dstBlkStride": 0,
        "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8 },
      { "op": "RepeatReduceSum", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 64, "bytes": 32 },
        "src": { "position": "VECIN", "at": 1024, "bytes": 512 },
        "repeat": )";
  text += repeat;
  text += R"(, "elemsInOneRepeat": 4, "dstBlkStride": 0,
        "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8 } ])";
  if (!expect.empty()) text.append(", \"expect\": ").append(expect);
  auto c = ReadCase(text + "}");
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value();
}

struct ExpectRow {
  const char* name;
  std::string_view repeat;
  std::string_view expect;
  std::string_view message;  ///< empty: as expected
};

class Expected : public testing::TestWithParam<ExpectRow> {};

constexpr std::string_view kOk = "1";
constexpr std::string_view kBad = "256";
constexpr ExpectRow kExpectRows[] = {
    {"Right", kOk,
     R"({"outcome": "executed", "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
         "memory": {"UB": [{"at": 0, "dtype": "half", "values": [3, "nan"]},
                           {"at": 64, "dtype": "half", "values": [10]}]}})",
     ""},
    {"RightInHex", kOk,
     R"({"outcome": "executed", "memory": {"UB": [{"at": 0, "hex":
         "0042007e"}, {"at": 64, "hex": "0049"}]}})",
     ""},
    {"RightWithAnotherNan", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": [3, "0xfe55"]},
         {"at": 64, "dtype": "half", "values": [10]}]}})",
     ""},
    {"OneUlp", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": ["0x4201", "nan"]},
         {"at": 64, "dtype": "half", "values": [10]}]}})",
     "UB byte 0 (dst element of iteration 0 lane 0, "
     "half): expected 3.002 (0x4201), found 3 (0x4200), 1 ULP apart"},
    {"NumberInsteadOfNan", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": [3, "inf"]},
         {"at": 64, "dtype": "half", "values": [10]}]}})",
     "UB byte 2"},
    {"ByteThatStays", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": [3, "nan"]},
         {"at": 64, "dtype": "half", "values": [10]},
         {"at": 4095, "hex": "a6"}]}})",
     "UB byte 4095 (which no operand was to write): expected 166 (0xa6), "
     "found 165 (0xa5)"},
    {"UnlistedByteThatChanges", kOk,
     R"({"outcome": "executed", "memory": {"UB": [
         {"at": 0, "dtype": "half", "values": [3, "nan"]}]}})",
     "UB byte 64"},
    {"NoMemoryMeansNoChange", kOk, R"({"outcome": "executed"})", "UB byte 0"},
    {"TooManyNotes", kOk,
     R"({"outcome": "executed", "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM",
         "RRS-REPEAT-ZERO"], "memory": {"UB": [{"at": 0, "hex": "0042007e"},
         {"at": 64, "hex": "0049"}]}})",
     "notes differ: missing RRS-REPEAT-ZERO"},
    {"NoNotes", kOk,
     R"({"outcome": "executed", "notes": [], "memory": {"UB": [
         {"at": 0, "hex": "0042007e"}, {"at": 64, "hex": "0049"}]}})",
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
  const Case c = CaseOf(row.expect, row.repeat);
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
  const MoodyTarget moody([](int run) { return run == 2; });
  const Comparison result = CheckCase(CaseOf(""), moody, Oracle());
  EXPECT_EQ(moody.runs(), 4);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::kNotDeterministic);
  EXPECT_EQ(result.findings[0].side, "moody");
  // A target that is always wrong runs twice, and may differ then.
  const MoodyTarget wrong([](int run) { return run != 3; });
  EXPECT_EQ(CheckCase(CaseOf(""), wrong, Oracle()).findings.back().kind,
            FindingKind::kNotDeterministic);
  const MoodyTarget calm([](int) { return false; });
  EXPECT_TRUE(CheckCase(CaseOf(""), calm, Oracle()).findings.empty());
  EXPECT_EQ(calm.runs(), 3);
}

TEST(CheckCase, ReportsAWrongTargetAgainstReferenceAndExpectation) {
  const MoodyTarget wrong([](int) { return true; });
  const Comparison result =
      CheckCase(CaseOf(R"({"outcome": "executed", "memory": {"UB": [
          {"at": 0, "hex": "0042007e"}, {"at": 64, "hex": "0049"}]}})"),
                wrong, Oracle());
  ASSERT_EQ(result.findings.size(), 4u) << "three steps and the expectation";
  EXPECT_EQ(result.findings[0].kind, FindingKind::kMemory);
  EXPECT_EQ(result.findings[3].kind, FindingKind::kExpectation);
  EXPECT_EQ(result.findings[3].side, "moody");
}

TEST(CheckCase, UnsupportedIsNeitherAFindingNorAComparison) {
  const Comparison result =
      CheckCase(CaseOf(R"({"outcome": "executed"})"), UnableTarget(), Oracle());
  EXPECT_TRUE(result.unsupported);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.steps, 0u);
  EXPECT_EQ(UnableTarget().Run(CaseOf("")).value().status,
            Outcome::Status::kUnsupported);
}

TEST(Run, ReportsMaximalChangedRanges) {
  const Outcome outcome = Emulator().Run(CaseOf("", "256")).value();
  EXPECT_EQ(outcome.status, Outcome::Status::kRejected);
  EXPECT_EQ(outcome.step, 2u);
  EXPECT_EQ(outcome.rules, (std::vector{isa::rrs::kRepeat}));
  EXPECT_EQ(outcome.notes, (std::vector{isa::rrs::kPreferWholeReduceSum}));
  const auto& ub = (*outcome.memory)[static_cast<std::size_t>(Memory::kUb)];
  ASSERT_EQ(ub.size(), 1u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes, (std::vector<std::uint8_t>{0x00, 0x42, 0x00, 0x7e}));
}

TEST(ToExpectation, IsWhatTheSameTargetMeets) {
  for (std::string_view repeat : {"1", "0", "256"}) {
    Case c = CaseOf("", repeat);
    c.expect = ToExpectation(Oracle().Run(c).value());
    EXPECT_EQ(c.expect->rejected, repeat == "256");
    EXPECT_TRUE(CheckCase(c, Emulator(), Oracle()).findings.empty());
    c.expect->memory->at(static_cast<std::size_t>(Memory::kUb))[0].bytes[0] ^=
        1;
    EXPECT_EQ(CheckCase(c, Emulator(), Oracle()).findings.size(), 2u);
  }
}

}  // namespace
}  // namespace lanediff::diff

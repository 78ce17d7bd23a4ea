// Whole instructions on targets made by hand: the verdicts on them.

#include "audit/case_result.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "audit/applicable_rules.h"
#include "audit/audit.h"
#include "audit/testing.h"
#include "differential/memory/memory_set.h"

namespace lanediff::audit {
namespace {

constexpr isa::Product kProduct = isa::Product::kAtlasA2;
constexpr isa::RuleId kRepeat("VT-REPEAT");
constexpr isa::RuleId kScope("VT-SCOPE");
constexpr isa::RuleId kSrcStride("VT-SRC-STRIDE");

bool IsState(const isa::Step& step) {
  return std::holds_alternative<isa::SetSaturation>(step) ||
         std::holds_alternative<isa::SetVectorMask>(step) ||
         std::holds_alternative<isa::PipeBarrier>(step);
}

/// Verdicts of an instruction's reject rules.
std::map<std::string, Verdict> Verdicts(const ProcessPoolResult& pool) {
  std::map<std::string, Verdict> all;
  for (const CellTally& cell : pool.tally.cells) {
    const isa::Rule& rule = *isa::FindRule(cell.rule.text());
    if (rule.effect != isa::Effect::kReject) continue;
    if (!CanBeBroken(rule, kProduct)) continue;
    all[std::string(cell.rule.text())] =
        VerdictOf(rule.effect, cell.alone, cell.together);
  }
  return all;
}

TEST(CaseResult, TheEmulatorEnforcesEverything) {
  for (const auto& [rule, verdict] :
       Verdicts(test::RunModule(test::TheEmulator(), "vec_trans"))) {
    EXPECT_EQ(verdict, Verdict::kEnforced) << rule;
  }
}

TEST(Given, AWrongCaseSpeaksAgainstTheRulesThatItNames) {
  using isa::Param;
  constexpr std::int64_t kStride = 137;  // of no case of the sweep
  Case given;
  for (const AuditCase& c : test::CasesIn("repeat_reduce_sum", 0, 2000)) {
    const auto* const call = std::get_if<isa::Call>(&c.c.program.back());
    const auto outcome = test::TheEmulator().Run(c.c);
    if (call == nullptr || (*call)[Param::kRepeatTimes] != 1 ||
        outcome->rejected()) {
      continue;
    }
    given = c.c;
    std::get<isa::Call>(given.program.back())[Param::kSrc0RepStride] = kStride;
    break;
  }
  ASSERT_FALSE(given.program.empty());
  const test::HandMade target([](const isa::Step& step, diff::Session& emulator,
                                 isa::Memories memories) {
    const auto result = emulator.Execute(step);
    const auto* const call = std::get_if<isa::Call>(&step);
    if (call != nullptr && (*call)[Param::kSrc0RepStride] == kStride) {
      memories[isa::Memory::kUb][static_cast<std::size_t>(call->dst().at)] ^= 1;
    }
    return result;
  });
  for (const isa::RuleId named :
       {isa::RuleId("RRS-TREE"), isa::RuleId("RRS-ADDRESS")}) {
    AuditOptions options;
    options.instruction = "repeat_reduce_sum";
    options.product = kProduct;
    options.jobs = 2;
    options.sample = 1;
    given.requirement = {named};
    options.given = {given};
    const Audit audit = RunAudit(target, options);
    std::size_t wrong = 0;
    for (const AuditedRule& rule : audit.record.rules) {
      if (rule.verdict != Verdict::kContradicted) continue;
      ++wrong;
      EXPECT_EQ(rule.rule->id, named);
      ASSERT_FALSE(rule.cells.front().evidence.empty());
      const Evidence& evidence = rule.cells.front().evidence.front();
      EXPECT_TRUE(evidence.file.starts_with("cases/corpus/")) << evidence.file;
      EXPECT_TRUE(audit.files.contains(evidence.file));
    }
    EXPECT_EQ(wrong, 1u) << named.text();
  }
}

/// A small audit of vec_trans.
AuditRecord AuditedSample(const diff::Target& target) {
  AuditOptions options;
  options.instruction = "vec_trans";
  options.product = kProduct;
  options.jobs = 2;
  options.sample = 20;
  return RunAudit(target, options).record;
}

TEST(CaseResult, RefusingEverythingEnforcesNothing) {
  diff::Capabilities can;
  can.legality = diff::Capabilities::Legality::kYes;
  for (const bool state : {true, false}) {
    const test::HandMade target(
        [state](const isa::Step& step, diff::Session& emulator, isa::Memories) {
          if (state && IsState(step)) return emulator.Execute(step);
          isa::StepResult refused;
          refused.status = isa::StepResult::Status::kRejected;
          return refused;
        },
        can);
    for (const AuditedRule& rule : AuditedSample(target).rules) {
      if (rule.rule->instruction != "vec_trans") continue;
      EXPECT_NE(rule.verdict, Verdict::kEnforced) << rule.rule->id.text();
      EXPECT_NE(rule.verdict, Verdict::kConfirmed) << rule.rule->id.text();
    }
  }
}

TEST(CaseResult, RefusalsAloneEnforceNothing) {
  const test::RecordedHere refusals(
      "emulator",
      [](const Case&, Outcome& outcome) { return outcome.rejected(); });
  std::size_t refused = 0;
  for (const AuditedRule& rule : AuditedSample(refusals).rules) {
    EXPECT_NE(rule.verdict, Verdict::kEnforced) << rule.rule->id.text();
    refused +=
        rule.cells.front().reason.starts_with("no legal call was") ? 1 : 0;
  }
  EXPECT_GT(refused, 5u);
}

TEST(CaseResult, RefusingEverythingViolatesEverything) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        if (IsState(step)) return emulator.Execute(step);
        return test::Refused(kRepeat);
      });
  for (const auto& [rule, verdict] :
       Verdicts(test::RunModule(target, "vec_trans"))) {
    // No call reaches the rules that are checked later.
    const bool later = rule == "VT-BOUNDS" || rule == "VT-OVERLAP";
    EXPECT_EQ(verdict, later ? Verdict::kNotExercised : Verdict::kViolated)
        << rule;
  }
}

TEST(CaseResult, WritingOutsideViolatesThatRule) {
  const test::HandMade target([](const isa::Step& step, diff::Session& emulator,
                                 isa::Memories memories) {
    const auto result = emulator.Execute(step);
    if (!result.rules.Contains(kSrcStride)) return result;
    for (isa::Memory m : diff::kAllMemories) {
      if (!memories[m].empty()) memories[m].back() ^= 0xff;
      if (!memories[m].empty()) memories[m].front() ^= 0xff;
    }
    return isa::StepResult{};
  });
  const auto pool = test::RunModule(target, "vec_trans");
  EXPECT_EQ(Verdicts(pool).at("VT-SRC-STRIDE"), Verdict::kViolated);
  EXPECT_GT(pool.tally.FindCell(kSrcStride, kProduct)
                ->alone[static_cast<std::size_t>(Showing::kWroteOutside)],
            0u);
}

TEST(CaseResult, TheWrongNameIsBlamedOnTheRuleThatIsMissed) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        auto result = emulator.Execute(step);
        if (!result.rules.Contains(kRepeat)) return result;
        return test::Refused(kScope);
      });
  const auto verdicts = Verdicts(test::RunModule(target, "vec_trans"));
  EXPECT_EQ(verdicts.at("VT-REPEAT"), Verdict::kViolated);
  EXPECT_EQ(verdicts.at("VT-SCOPE"), Verdict::kEnforced);
}

TEST(CaseResult, ANameTooManyIsBlamedOnTheRuleThatIsNamed) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        auto result = emulator.Execute(step);
        if (result.rules.Contains(kRepeat)) {
          result.rules.Add(kScope);
        }
        return result;
      });
  const auto verdicts = Verdicts(test::RunModule(target, "vec_trans"));
  EXPECT_EQ(verdicts.at("VT-REPEAT"), Verdict::kEnforced);
  EXPECT_EQ(verdicts.at("VT-SCOPE"), Verdict::kViolated);
}

TEST(CaseResult, OneThatAnswersWholeCasesAndEndsInsteadIsBlamed) {
  const test::Answering ending([](const Case&) {
    return test::None(diff::NoOutcome::Kind::kCrash, "ended by signal 11");
  });
  std::size_t shown = 0;
  for (const AuditCase& c : test::CasesIn("vec_trans", 0, 60)) {
    const CaseResult result = ResultOf(c.c, c.rule, ending);
    EXPECT_FALSE(result.unsupported) << c.c.id;
    EXPECT_EQ(result.message, "ended by signal 11");
    for (const Observation& o : result.observations) {
      EXPECT_EQ(o.showing, Showing::kCrashed) << c.c.id;
      ++shown;
    }
  }
  EXPECT_GT(shown, 20u);
}

}  // namespace
}  // namespace lanediff::audit

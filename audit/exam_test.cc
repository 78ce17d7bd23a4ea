// Whole rooms on targets made by hand: what the verdicts say of them.

#include "audit/exam.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "audit/audit.h"
#include "audit/speaks.h"
#include "audit/testing.h"
#include "diff/memory/memory_set.h"

namespace lanediff::audit {
namespace {

constexpr isa::Product kProduct = isa::Product::kAtlasA2;

bool IsState(const isa::Step& step) {
  return std::holds_alternative<isa::SetSaturation>(step) ||
         std::holds_alternative<isa::SetVectorMask>(step) ||
         std::holds_alternative<isa::PipeBarrier>(step);
}

/// Verdicts of a room's reject rules.
std::map<std::string, Verdict> Verdicts(const CrewResult& crew) {
  std::map<std::string, Verdict> all;
  for (const auto& [key, cell] : crew.tally.cells()) {
    const isa::Rule& rule = *isa::FindRule(key.first);
    if (rule.effect != isa::Effect::kReject) continue;
    if (!CanBeBroken(rule, kProduct)) continue;
    all[std::string(key.first)] =
        VerdictOf(rule.effect, cell.alone, cell.together);
  }
  return all;
}

TEST(Exam, TheEmulatorEnforcesEverything) {
  for (const auto& [rule, verdict] :
       Verdicts(test::RunRoom(test::TheEmulator(), "vec_trans"))) {
    EXPECT_EQ(verdict, Verdict::kEnforced) << rule;
  }
}

TEST(Exam, WhoRefusesEverythingViolatesEverything) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        if (IsState(step)) return emulator.Execute(step);
        return test::Refused(isa::vt::kRepeat);
      });
  for (const auto& [rule, verdict] :
       Verdicts(test::RunRoom(target, "vec_trans"))) {
    // Nobody comes to what is looked at later.
    const bool later =
        rule == isa::vt::kBounds.text() || rule == isa::vt::kOverlap.text();
    EXPECT_EQ(verdict, later ? Verdict::kNotExercised : Verdict::kViolated)
        << rule;
  }
}

TEST(Exam, WhoWritesOutsideViolatesThatRule) {
  const test::HandMade target([](const isa::Step& step, diff::Session& emulator,
                                 isa::Memories memories) {
    const auto result = emulator.Execute(step);
    if (!result.rules.Contains(isa::vt::kSrcStride)) return result;
    for (isa::Memory m : diff::kAllMemories) {
      if (!memories[m].empty()) memories[m].back() ^= 0xff;
      if (!memories[m].empty()) memories[m].front() ^= 0xff;
    }
    return isa::StepResult{};
  });
  const auto crew = test::RunRoom(target, "vec_trans");
  EXPECT_EQ(Verdicts(crew).at("VT-SRC-STRIDE"), Verdict::kViolated);
  EXPECT_GT(crew.tally.cells()
                .at({isa::vt::kSrcStride.text(), kProduct})
                .alone[static_cast<std::size_t>(Showing::kWroteOutside)],
            0u);
}

TEST(Exam, TheWrongNameIsBlamedOnTheRuleThatIsMissed) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        auto result = emulator.Execute(step);
        if (!result.rules.Contains(isa::vt::kRepeat)) return result;
        return test::Refused(isa::vt::kScope);
      });
  const auto verdicts = Verdicts(test::RunRoom(target, "vec_trans"));
  EXPECT_EQ(verdicts.at("VT-REPEAT"), Verdict::kViolated);
  EXPECT_EQ(verdicts.at("VT-SCOPE"), Verdict::kEnforced);
}

TEST(Exam, ANameTooManyIsBlamedOnTheRuleThatIsNamed) {
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        auto result = emulator.Execute(step);
        if (result.rules.Contains(isa::vt::kRepeat)) {
          result.rules.Add(isa::vt::kScope);
        }
        return result;
      });
  const auto verdicts = Verdicts(test::RunRoom(target, "vec_trans"));
  EXPECT_EQ(verdicts.at("VT-REPEAT"), Verdict::kEnforced);
  EXPECT_EQ(verdicts.at("VT-SCOPE"), Verdict::kViolated);
}

TEST(Exam, OneThatAnswersWholeCasesAndEndsInsteadIsBlamed) {
  class Ending final : public test::RecordedHere {
   public:
    using RecordedHere::RecordedHere;
    bool runs_any_case() const override { return true; }
    std::expected<Outcome, diff::NoOutcome> Run(const Case&) const override {
      return std::unexpected(
          diff::NoOutcome{diff::NoOutcome::Kind::kCrash, "ended by signal 11"});
    }
  };
  const Ending ending("emulator");
  std::size_t shown = 0;
  for (const AuditCase& c : test::CasesIn("vec_trans", 0, 60)) {
    const Exam exam = Examine(c.swept.c, c.swept.rule, ending);
    EXPECT_FALSE(exam.unsupported) << c.swept.c.id;
    EXPECT_EQ(exam.message, "ended by signal 11");
    for (const Observation& o : exam.observations) {
      EXPECT_EQ(o.showing, Showing::kCrashed) << c.swept.c.id;
      ++shown;
    }
  }
  EXPECT_GT(shown, 20u);
}

}  // namespace
}  // namespace lanediff::audit

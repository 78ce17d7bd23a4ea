// What questions of their own find is evidence for an audit.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "audit/characterize/characterise.h"
#include "audit/record_testing.h"
#include "audit/testing.h"
#include "differential/compare/compare.h"
#include "differential/targets/find_target.h"

namespace lanediff::character {
namespace {

using audit::Verdict;
using audit::test::CellOf;
using audit::test::FaultsIn;
using audit::test::Ids;
using audit::test::RulesThatAre;
using isa::StepResult;

struct Defects {
  bool compacts = false;    ///< WholeReduceSum adds neighbours of taken lanes
  bool other_mask = false;  ///< Add leaves all ones in the mask register
};

audit::test::HandMade Model(Defects defects) {
  diff::Capabilities can;
  can.instructions = {"Min", "Add", "WholeReduceSum"};
  can.products = {isa::Product::kAtlasA2};
  can.dtypes = {isa::DType::kHalf, isa::DType::kFloat};
  can.saturation = {true};
  can.legality = diff::Capabilities::Legality::kYes;
  can.notes = false;
  can.legal_only = true;  // illegal calls are slow
  return audit::test::HandMade(
      [defects](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        const StepResult result = emulator.Execute(step);
        if (defects.other_mask && isa::OpName(step) == "Add" &&
            std::get<isa::Call>(step).is_set_mask &&
            result.status == StepResult::Status::kExecuted) {
          emulator.Execute(
              isa::SetVectorMask{~std::uint64_t{0}, ~std::uint64_t{0}});
        }
        return result;
      },
      can,
      **diff::FindStepwiseTarget(defects.compacts ? "mutant:wrs-gaps-closed"
                                                  : "emulator"));
}

std::vector<audit::Measurement> Measured(const diff::Target& target) {
  return MeasurementsOf(Characterise(
      target, {.instruction = {}, .lengths = {5, 64}, .goes_on = {}}));
}

audit::AuditRecord Audited(const diff::Target& target,
                           std::vector<audit::Measurement> measured) {
  audit::AuditOptions options;
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.sample = 150;
  options.measured = std::move(measured);
  return audit::RunAudit(target, options).record;
}

TEST(MeasurementsOf, TheEmulatorShowsNothingAgainstARule) {
  for (const char* op : {"WholeReduceSum", "TROWPROD", "Min", "Add"}) {
    const Character character = Characterise(
        diff::Narrowed(audit::test::TheEmulator(), std::nullopt, true),
        {.instruction = op, .lengths = {5, 64}, .goes_on = {}});
    for (const audit::Measurement& one : MeasurementsOf(character)) {
      EXPECT_TRUE(one.follows) << one.text;
    }
  }
}

TEST(MeasurementsOf, AnOrderOfItsOwnIsTheRuleOfTheOrder) {
  const auto model = Model({.compacts = true});
  const auto measured = Measured(model);
  ASSERT_TRUE(std::ranges::any_of(measured, [](const auto& one) {
    return one.rule == "WRS-TREE" && !one.follows &&
           (one.conditions & audit::WithMaskGaps()) != 0;
  }));
  const auto record = Audited(model, measured);
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted), Ids{"WRS-TREE"})
      << FaultsIn(record);
  EXPECT_EQ(CellOf(record, isa::arith::kRound).verdict, Verdict::kConfirmed);
  const audit::Cell& tree = CellOf(record, isa::RuleId("WRS-TREE"));
  EXPECT_TRUE(tree.co_suspects.empty());
  ASSERT_FALSE(tree.measured.empty());
  EXPECT_NE(tree.measured[0].find("documented: neighbours"), std::string::npos)
      << tree.measured[0];
  ASSERT_FALSE(tree.wrong.empty());
  EXPECT_EQ(tree.wrong[0].forms,
            (std::vector<std::string>{"mask-words", "register"}));
  EXPECT_EQ(tree.wrong[0].right_forms, std::vector<std::string>{"mask"});
  audit::test::ExpectSumsAddUp(record);
}

TEST(MeasurementsOf, TwoDefectsDoNotHideOneAnother) {
  const auto model = Model({.compacts = true, .other_mask = true});
  const auto record = Audited(model, Measured(model));
  EXPECT_TRUE(RulesThatAre(record, Verdict::kContradicted).contains("WRS-TREE"))
      << FaultsIn(record);
  // The sample may hold no program in which the wrong register is read; what
  // was measured shows it.
  const audit::Cell& mask = CellOf(record, isa::state::kMaskRegister);
  EXPECT_EQ(mask.verdict, Verdict::kContradicted) << FaultsIn(record);
  EXPECT_TRUE(std::ranges::any_of(mask.evidence, [](const auto& one) {
    return one.file.starts_with("cases/characterise/");
  }));
  ASSERT_FALSE(mask.measured.empty());
  EXPECT_TRUE(mask.measured[0].starts_with("mask-after of half Add"))
      << mask.measured[0];
  audit::test::ExpectSumsAddUp(record);

  // Without the questions a rule of several instructions is left alone.
  const auto alone = Audited(model, {});
  EXPECT_FALSE(
      RulesThatAre(alone, Verdict::kContradicted).contains("ARITH-ROUND"))
      << FaultsIn(alone);
}

}  // namespace
}  // namespace lanediff::character

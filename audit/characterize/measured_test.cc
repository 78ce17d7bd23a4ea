// What questions of their own find is evidence for an audit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
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
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

using audit::Verdict;
using audit::test::CellOf;
using audit::test::FaultsIn;
using audit::test::Ids;
using audit::test::RulesThatAre;
using isa::Param;
using isa::StepResult;

struct Defects {
  bool compacts = false;    ///< WholeReduceSum adds neighbours of taken lanes
  bool other_mask = false;  ///< Add leaves all ones in the mask register
};

std::vector<std::int64_t> LanesOf(const isa::Call& call) {
  std::vector<std::int64_t> lanes;
  const std::int64_t all = isa::kIterationBytes / isa::SizeBytes(call.dtype);
  for (std::int64_t lane = 0; lane < all; ++lane) {
    const auto word = call.mask_words[static_cast<std::size_t>(lane / 64)];
    if ((word >> (lane % 64) & 1) != 0) lanes.push_back(lane);
  }
  return lanes;
}

/// The sum of the taken lanes, moved together, as the emulator adds them.
void AddCompact(const isa::Call& call, const std::vector<std::int64_t>& lanes,
                std::int64_t iteration, std::span<std::uint8_t> ub,
                std::span<const std::uint8_t> before) {
  const std::int64_t size = isa::SizeBytes(call.dtype);
  const std::int64_t in_block = isa::kDataBlockBytes / size;
  std::vector<std::uint8_t> own(2 * isa::kIterationBytes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::int64_t at =
        call.src(0).at +
        isa::kDataBlockBytes * (iteration * call.RepStride(1) +
                                lanes[i] / in_block * call.BlkStride(1)) +
        lanes[i] % in_block * size;
    std::copy_n(before.begin() + at, size,
                own.begin() + static_cast<std::int64_t>(i) * size);
  }
  isa::Call sum = call;
  sum.form = sum.signature->FormWith(Param::kMask);
  sum[Param::kMask] = std::ssize(lanes);
  sum.mask_words = {};
  sum.src(0).at = 0;
  sum.dst().at = isa::kIterationBytes;
  sum.src(0).bytes = sum.dst().bytes = isa::kIterationBytes;
  sum[Param::kRepeatTimes] = 1;
  sum[Param::kSrc0BlkStride] = 1;
  sum[Param::kSrc0RepStride] = 8;
  sum[Param::kDstRepStride] = 1;
  isa::Memories memories;
  memories[isa::Memory::kUb] = own;
  audit::test::TheEmulator()
      .Open(isa::Product::kAtlasA2, memories)
      ->Execute(sum);
  std::copy_n(
      own.begin() + isa::kIterationBytes, size,
      ub.begin() + call.dst().at + iteration * call.RepStride(0) * size);
}

StepResult RunSum(const isa::Call& call, diff::Session& emulator,
                  isa::Memories memories) {
  const std::span<std::uint8_t> ub = memories[isa::Memory::kUb];
  const std::vector<std::uint8_t> before(ub.begin(), ub.end());
  const StepResult result = emulator.Execute(call);
  const std::vector<std::int64_t> lanes = LanesOf(call);
  if (result.status != StepResult::Status::kExecuted || !call.is_set_mask ||
      !call.Has(Param::kMaskWords) || lanes.empty()) {
    return result;
  }
  for (std::int64_t i = 0; i < call[Param::kRepeatTimes]; ++i) {
    AddCompact(call, lanes, i, ub, before);
  }
  return result;
}

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
      [defects](const isa::Step& step, diff::Session& emulator,
                isa::Memories memories) {
        const std::string_view op = isa::OpName(step);
        const auto* const call = std::get_if<isa::Call>(&step);
        if (op == "WholeReduceSum" && defects.compacts) {
          return RunSum(*call, emulator, memories);
        }
        const StepResult result = emulator.Execute(step);
        if (defects.other_mask && op == "Add" && call->is_set_mask &&
            result.status == StepResult::Status::kExecuted) {
          emulator.Execute(
              isa::SetVectorMask{~std::uint64_t{0}, ~std::uint64_t{0}});
        }
        return result;
      },
      can);
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
  EXPECT_EQ(tree.wrong[0].forms, (std::vector<std::string>{"mask-words"}));
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

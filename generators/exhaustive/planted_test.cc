// Defects that an enumeration must find, planted in the emulator's seams.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/testcase/case_writer.h"
#include "generators/exhaustive/pair_space.h"
#include "generators/exhaustive/testing.h"

namespace lanediff::make::exhaust {
namespace {

/// Loses the result's sign where it is a zero: 0x8000 + 0x8000 becomes +0.
std::uint32_t SumWithoutMinusZero(const emulator::ReduceSumPlan& plan,
                                  std::int64_t iteration,
                                  std::span<const std::uint8_t> ub) {
  const std::uint32_t bits =
      emulator::kRepeatReduceSum.half_kernel(plan, iteration, ub);
  return bits == 0x8000 ? 0 : bits;
}

int sums = 0;

/// Wrong in the 400th sum of the process and never again.
std::uint32_t SumWrongOnce(const emulator::ReduceSumPlan& plan,
                           std::int64_t iteration,
                           std::span<const std::uint8_t> ub) {
  const std::uint32_t bits =
      emulator::kRepeatReduceSum.half_kernel(plan, iteration, ub);
  return ++sums == 400 ? bits ^ 1 : bits;
}

/// Wrong for one pair of 2^32.
std::uint32_t ProductWrongOnce(const emulator::TrowprodPlan& plan,
                               std::int64_t row,
                               std::span<const std::uint8_t> ub) {
  const auto left_fold = static_cast<std::size_t>(isa::Order::kLeftFold);
  const std::uint32_t bits =
      emulator::kTrowprod.half_kernels[left_fold](plan, row, ub);
  const std::uint8_t* const at =
      ub.data() + plan.src + row * plan.src_row_stride;
  const bool it =
      at[0] == 0x34 && at[1] == 0x12 && at[2] == 0x78 && at[3] == 0x56;
  return it ? bits ^ 1 : bits;
}

/// Also writes the byte behind the last lane of the call.
void WriteOneMore(const emulator::ElementwisePlan& plan, std::int64_t iteration,
                  const emulator::ElementwiseLanes& result,
                  std::span<std::uint8_t> ub) {
  emulator::RowOf<isa::Min>(emulator::kElementwise)
      .write_back(plan, iteration, result, ub);
  if (iteration + 1 == plan.iterations) ub.back() = 0;
}

TEST(PlantedDefects, AMinusZeroIsFoundAndReducedToOneRepeat) {
  emulator::Seams seams;
  seams.repeat_reduce_sum.half_kernel = SumWithoutMinusZero;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space =
      *dynamic_cast<const PairSpace*>(FindSpace("sum-half-saturating"));
  const std::uint64_t call = 0x80008000ull / 255;
  const Tally tally = RunPart(space, target, {call - 2, call + 3});
  EXPECT_EQ(tally.points, 5u * 255u);
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  EXPECT_EQ(tally.shown[0].call, call);
  EXPECT_EQ(PairsOf(tally.shown[0].c), std::vector<std::uint64_t>{0x80008000});
  EXPECT_EQ(tally.shown[0].finding.kind, diff::FindingKind::kMemory);
  EXPECT_TRUE(diff::CompareCase(tally.shown[0].c, Emulator(), Oracle())
                  .findings.empty());
}

TEST(PlantedDefects, OnePairOfAllIsFound) {
  emulator::Seams seams;
  seams.trowprod.half_kernels[static_cast<std::size_t>(isa::Order::kLeftFold)] =
      ProductWrongOnce;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space = *FindSpace("product-half-ieee");
  const std::uint64_t call = 0x12345678ull / 256;
  const Tally tally = RunPart(space, target, {call - 20, call + 20}, 3);
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  EXPECT_EQ(PairsOf(tally.shown[0].c), std::vector<std::uint64_t>{0x12345678});
}

TEST(PlantedDefects, WhatNewSessionsDoNotHaveHasASignatureToo) {
  emulator::Seams seams;
  seams.repeat_reduce_sum.half_kernel = SumWrongOnce;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const Tally tally =
      RunPart(*FindSpace("sum-half-saturating"), target, {4000, 4004});
  ASSERT_GT(sums, 400);
  ASSERT_EQ(tally.shown.size(), 1u);
  const diff::Finding& finding = tally.shown[0].finding;
  EXPECT_NE(finding.message.find("only after earlier calls"), std::string::npos)
      << finding.message;
  EXPECT_EQ(finding.signature, "memory/repeat_reduce_sum/value/half");
}

TEST(PlantedDefects, AByteThatIsNoResultIsFound) {
  emulator::Seams seams;
  emulator::RowOf<isa::Min>(seams.elementwise).write_back = WriteOneMore;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space = *FindSpace("min-int16");
  const Tally tally = RunPart(space, target, {1000, 1001});
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  // No one pair is to blame: the call stays as it is.
  EXPECT_EQ(PairsOf(tally.shown[0].c).size(), 32640u);
}

TEST(PlantedDefects, AllAreCountedAndAFewShown) {
  emulator::Seams seams;
  auto& row = emulator::RowOf<isa::Min>(seams.elementwise);
  row.int16_kernel = row.half_kernel;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space = *FindSpace("min-int16");
  const Part part{.from = 65000, .to = 65003};
  const Tally one = RunPart(space, target, part);
  EXPECT_GT(one.disagree, 1000u);
  ASSERT_EQ(one.shown.size(), diff::kKeptOfSignature);
  const Tally two = RunPart(space, target, part, 2);
  EXPECT_EQ(two.disagree, one.disagree);
  for (std::size_t i = 0; i < one.shown.size(); ++i) {
    EXPECT_EQ(WriteCase(two.shown[i].c), WriteCase(one.shown[i].c));
  }
}

/// Wraps where the largest integer is to stay.
void AddThatWraps(const emulator::ElementwisePlan& plan, std::int64_t iteration,
                  std::span<const std::uint8_t> ub,
                  emulator::ElementwiseLanes& result) {
  emulator::ElementwisePlan wrapping = plan;
  wrapping.saturation = false;
  emulator::RowOf<isa::Add>(emulator::kElementwise)
      .int16_kernel(wrapping, iteration, ub, result);
}

TEST(PlantedDefects, AnIntegerThatWrapsIsFoundWhereItShouldStay) {
  emulator::Seams seams;
  emulator::RowOf<isa::Add>(seams.elementwise).int16_kernel = AddThatWraps;
  const auto seamed = SeamTarget(seams);
  const Part part{.from = 65000, .to = 65003};
  const Tally kept = RunPart(*FindSpace("add-int16-saturating"), *seamed, part);
  EXPECT_GT(kept.disagree, 0u);
  const Tally wrapped =
      RunPart(*FindSpace("add-int16-wrapping"), *seamed, part);
  EXPECT_EQ(wrapped.disagree, 0u);
}

TEST(PlantedDefects, ARuleIsFoundInTheParameters) {
  emulator::Seams seams;
  seams.vec_trans.legality = [](const isa::VecTrans& call,
                                const emulator::State& state) {
    isa::RuleSet broken;
    for (isa::RuleId rule : emulator::kVecTrans.legality(call, state)) {
      if (rule != isa::vt::kRepeat || call.repeat_times != 0) broken.Add(rule);
    }
    return broken;
  };
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space = *FindSpace("params-vec_trans");
  const Tally tally = RunPart(space, target, {0, 1000});
  EXPECT_EQ(tally.calls, 1000u);
  EXPECT_EQ(tally.points, 1000u);
  EXPECT_EQ(tally.disagree, 1000u);  // the first 5000 have repeat_times 0
  EXPECT_EQ(tally.shown.size(), diff::kKeptOfSignature);
}

TEST(PlantedDefects, ARareSignatureIsShownBehindAFrequentOne) {
  emulator::Seams seams;
  auto& row = emulator::RowOf<isa::Min>(seams.elementwise);
  row.half_kernel = row.int16_kernel;
  const auto seamed = SeamTarget(seams);
  // 65504 and what is NaN, after 1.0 of either sign.
  const auto& space =
      *dynamic_cast<const PairSpace*>(FindSpace("min-half-ieee"));
  const Tally tally = RunPart(space, *seamed, {65790, 65795});
  std::map<std::string, int> shown;
  for (const auto& one : tally.shown) ++shown[one.finding.signature];
  EXPECT_GT(shown.size(), 1u);
  for (const auto& [signature, cases] : shown) {
    EXPECT_LE(cases, 3) << signature;
  }
  EXPECT_TRUE(shown.contains("memory/min/nan/half/mask"));
}

/// Fails in one call of all.
class FailsOnce final : public diff::TargetAround {
 public:
  using TargetAround::TargetAround;
  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override {
    return std::make_unique<Failing>(inner_steps().Open(profile, memories),
                                     calls_);
  }

 private:
  class Failing final : public diff::Session {
   public:
    Failing(std::unique_ptr<diff::Session> inner, int& calls)
        : inner_(std::move(inner)), calls_(calls) {}
    isa::StepResult Execute(const isa::Step& step) override {
      if (std::holds_alternative<isa::Min>(step) && ++calls_ == 3) {
        failed_ = true;
        return {.status = isa::StepResult::Status::kUnsupported,
                .rules = {},
                .notes = {}};
      }
      return inner_->Execute(step);
    }
    const diff::NoOutcome* failure() const override {
      return failed_ ? &none_ : nullptr;
    }

   private:
    std::unique_ptr<diff::Session> inner_;
    int& calls_;
    bool failed_ = false;
    diff::NoOutcome none_ = {diff::NoOutcome::Kind::kCrash, "it ended"};
  };
  mutable int calls_ = 0;
};

TEST(PlantedDefects, ATargetThatFailsIsAFindingAndTheRestIsCompared) {
  const FailsOnce target(Emulator());
  const Tally tally = RunPart(*FindSpace("min-int16"), target, {1000, 1006});
  EXPECT_EQ(tally.points, 6u * 32640u);
  EXPECT_EQ(tally.unsupported, 0u);
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  EXPECT_EQ(tally.shown[0].call, 1002u);
  EXPECT_TRUE(
      tally.shown[0].finding.signature.starts_with("crash/min/target/int16"));
}

}  // namespace
}  // namespace lanediff::make::exhaust

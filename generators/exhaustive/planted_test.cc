// Defects that an enumeration must find, planted in the emulator's seams.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/testcase/case_writer.h"
#include "generators/exhaustive/testing.h"

namespace lanediff::make::exhaust {
namespace {

constexpr std::size_t kRepeatReduceSum =
    isa::PlaceOf(*isa::FindSignature("RepeatReduceSum"));

/// Loses the result's sign where it is a zero: 0x8000 + 0x8000 becomes +0.
std::uint32_t SumWithoutMinusZero(const emulator::ReduceSumPlan& plan,
                                  std::int64_t iteration,
                                  std::span<const std::uint8_t> ub) {
  const std::uint32_t bits =
      emulator::kReductions[kRepeatReduceSum].half_kernel(plan, iteration, ub);
  return bits == 0x8000 ? 0 : bits;
}

int sums = 0;

/// Wrong in the 400th sum of the process and never again.
std::uint32_t SumWrongOnce(const emulator::ReduceSumPlan& plan,
                           std::int64_t iteration,
                           std::span<const std::uint8_t> ub) {
  const std::uint32_t bits =
      emulator::kReductions[kRepeatReduceSum].half_kernel(plan, iteration, ub);
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

constexpr std::size_t kMin = emulator::LanewiseRow("Min");
constexpr std::size_t kAdd = emulator::LanewiseRow("Add");

/// Also writes the byte behind the last lane of the call.
void WriteOneMore(const emulator::LanewisePlan& plan, std::int64_t iteration,
                  const emulator::LanewiseResult& result,
                  std::span<std::uint8_t> ub) {
  emulator::kLanewise[kMin].write_back(plan, iteration, result, ub);
  if (iteration + 1 == plan.iterations) ub.back() = 0;
}

/// Wraps where the largest integer is to stay.
void AddThatWraps(const emulator::LanewisePlan& plan, std::int64_t iteration,
                  std::span<const std::uint8_t> ub,
                  emulator::LanewiseResult& result) {
  emulator::LanewisePlan wrapping = plan;
  wrapping.saturation = false;
  emulator::kLanewise[kAdd].KernelOf(isa::DType::kInt16)(wrapping, iteration,
                                                         ub, result);
}

/// The only pair that is shown.
void ExpectOnePair(const Tally& tally, std::uint64_t pair) {
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  EXPECT_EQ(PairsOf(tally.shown[0].c), std::vector<std::uint64_t>{pair});
}

TEST(PlantedDefects, AnIntegerThatWrapsIsFoundWhereItShouldStay) {
  const auto wrap = [](emulator::Seams& seams) {
    seams.lanewise[kAdd].KernelOf(isa::DType::kInt16) = AddThatWraps;
  };
  const Part part{.from = 65000, .to = 65003};
  EXPECT_GT(RunChanged("add-int16-saturating", part, wrap).disagree, 0u);
  EXPECT_EQ(RunChanged("add-int16-wrapping", part, wrap).disagree, 0u);
}

TEST(PlantedDefects, AMinusZeroIsFoundAndReducedToOneRepeat) {
  const std::uint64_t call = 0x80008000ull / 255;
  const Tally tally = RunChanged(
      "sum-half-saturating", {call - 2, call + 3}, [](emulator::Seams& seams) {
        seams.reductions[kRepeatReduceSum].half_kernel = SumWithoutMinusZero;
      });
  EXPECT_EQ(tally.points, 5u * 255u);
  ExpectOnePair(tally, 0x80008000);
  EXPECT_EQ(tally.shown[0].call, call);
  EXPECT_EQ(tally.shown[0].finding.kind, diff::FindingKind::kMemory);
  EXPECT_TRUE(diff::CompareCase(tally.shown[0].c, Emulator(), Oracle())
                  .findings.empty());
}

TEST(PlantedDefects, OnePairOfAllIsFound) {
  const std::uint64_t call = 0x12345678ull / 256;
  const auto change = [](emulator::Seams& seams) {
    constexpr auto kFold = static_cast<std::size_t>(isa::Order::kLeftFold);
    seams.tiles.front().half_kernels[kFold] = ProductWrongOnce;
  };
  ExpectOnePair(
      RunChanged("product-half-ieee", {call - 20, call + 20}, change, 3),
      0x12345678);
}

TEST(PlantedDefects, WhatNewSessionsDoNotHaveHasASignatureToo) {
  const Tally tally = RunChanged(
      "sum-half-saturating", {4000, 4004}, [](emulator::Seams& seams) {
        seams.reductions[kRepeatReduceSum].half_kernel = SumWrongOnce;
      });
  ASSERT_GT(sums, 400);
  ASSERT_EQ(tally.shown.size(), 1u);
  const diff::Finding& finding = tally.shown[0].finding;
  ExpectContains(finding.message, "only after earlier calls");
  EXPECT_EQ(finding.signature, "memory/repeat_reduce_sum/value/half");
}

TEST(PlantedDefects, AByteThatIsNoResultIsFound) {
  const Tally tally =
      RunChanged("min-int16", {1000, 1001}, [](emulator::Seams& seams) {
        seams.lanewise[kMin].write_back = WriteOneMore;
      });
  EXPECT_EQ(tally.disagree, 1u);
  ASSERT_EQ(tally.shown.size(), 1u);
  // No one pair is to blame: the call stays as it is.
  EXPECT_EQ(PairsOf(tally.shown[0].c).size(), 32640u);
}

TEST(PlantedDefects, AllAreCountedAndAFewShown) {
  const auto run = [](std::size_t jobs) {
    return RunChanged(
        "min-int16", {65000, 65003},
        [](emulator::Seams& seams) {
          auto& row = seams.lanewise[kMin];
          row.KernelOf(isa::DType::kInt16) = row.KernelOf(isa::DType::kHalf);
        },
        jobs);
  };
  const Tally one = run(1);
  EXPECT_GT(one.disagree, 1000u);
  ASSERT_EQ(one.shown.size(), diff::kKeptOfSignature);
  const Tally two = run(2);
  EXPECT_EQ(two.disagree, one.disagree);
  for (std::size_t i = 0; i < one.shown.size(); ++i) {
    EXPECT_EQ(WriteCase(two.shown[i].c), WriteCase(one.shown[i].c));
  }
}

TEST(PlantedDefects, ARuleIsFoundInTheParameters) {
  const Tally tally =
      RunChanged("params-vec_trans", {0, 1000}, [](emulator::Seams& seams) {
        auto& legality = seams.transposes.front().legality;
        legality = [](const isa::Call& call, const emulator::State& state) {
          isa::RuleSet broken;
          for (isa::RuleId rule : emulator::kVecTrans.legality(call, state)) {
            if (rule != call.Rule(isa::CallRule::kRepeat) ||
                call[isa::Param::kRepeatTimes] != 0) {
              broken.Add(rule);
            }
          }
          return broken;
        };
      });
  EXPECT_EQ(tally.calls, 1000u);
  EXPECT_EQ(tally.points, 1000u);
  EXPECT_EQ(tally.disagree, 1000u);  // the first 5000 have repeat_times 0
  EXPECT_EQ(tally.shown.size(), diff::kKeptOfSignature);
}

/// int16's Min for halves.
void CompareHalvesAsIntegers(emulator::Seams& seams) {
  auto& row = seams.lanewise[kMin];
  row.KernelOf(isa::DType::kHalf) = row.KernelOf(isa::DType::kInt16);
}

TEST(PlantedDefects, ARareSignatureIsShownBehindAFrequentOne) {
  // 65504 and what is NaN, after 1.0 of either sign.
  const Tally tally =
      RunChanged("min-half-ieee", {65790, 65795}, CompareHalvesAsIntegers);
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
      if (isa::OpName(step) == "Min" && ++calls_ == 3) {
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

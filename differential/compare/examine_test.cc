#include "differential/compare/examine.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "differential/compare/corpus_testing.h"
#include "differential/targets/find_target.h"
#include "differential/targets/recorded/testing.h"

namespace lanediff::diff {
namespace {

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

TEST(Examine, RunsTheTargetThreeTimesAndTheReferenceOnce) {
  Counting target("emulator");
  Counting reference("oracle");
  for (const Case& c : Corpus()) {
    const Examination all = Examine(c, target, reference);
    EXPECT_TRUE(all.comparison.findings.empty()) << c.id;
    EXPECT_EQ(target.Take(), 3) << c.id;
    EXPECT_EQ(reference.Take(), 1) << c.id;
  }
}

TEST(Examine, RunsATargetOnceThatAnswersWholeCases) {
  Counting target("emulator", false);
  Counting reference("oracle");
  for (const Case& c : Corpus()) {
    const Examination all = Examine(c, target, reference);
    EXPECT_TRUE(all.comparison.findings.empty()) << c.id;
    EXPECT_EQ(target.Take(), 1) << c.id;
    EXPECT_EQ(reference.Take(), 1) << c.id;
  }
}

TEST(Examine, RunsADisagreeingTargetFourTimesAtMost) {
  Counting target("mutant:rrs-left-fold");
  Counting reference("oracle");
  int disagree = 0;
  for (const Case& c : Corpus()) {
    const bool found =
        !Examine(c, target, reference).comparison.findings.empty();
    EXPECT_EQ(target.Take(), found ? 4 : 3) << c.id;
    EXPECT_EQ(reference.Take(), 1) << c.id;
    disagree += found;
  }
  EXPECT_GT(disagree, 3);
}

TEST(Examine, KeepsTheOutcomesThatWholeRunsGive) {
  const Target& oracle = **FindTarget("oracle");
  for (const char* name : {"emulator", "mutant:rrs-left-fold"}) {
    const Target& target = **FindTarget(name);
    for (const Case& c : Corpus()) {
      const Examination all = Examine(c, target, oracle);
      EXPECT_EQ(all.target, name);
      EXPECT_EQ(all.target_outcome, target.Run(c).value()) << c.id;
      EXPECT_EQ(all.reference, "oracle");
      EXPECT_EQ(all.reference_outcome, oracle.Run(c).value()) << c.id;
    }
  }
}

TEST(Examine, ReportsWhyThereIsNoOutcome) {
  const Target& oracle = **FindTarget("oracle");
  const auto recorded = FindTarget("recorded:" + testing::TempDir());
  ASSERT_TRUE(recorded) << recorded.error();
  const Examination all = Examine(TwoSums(), **recorded, oracle);
  EXPECT_FALSE(all.target_outcome);
  EXPECT_EQ(all.why_none, all.comparison.why);
  EXPECT_NE(all.why_none, "");
  EXPECT_EQ(all.reference_outcome, oracle.Run(TwoSums()).value());
  EXPECT_EQ(ExamineReference(TwoSums(), **recorded, oracle).reference_outcome,
            all.reference_outcome);
}

}  // namespace
}  // namespace lanediff::diff

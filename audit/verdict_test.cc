#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "audit/tally.h"

namespace lanediff::audit {
namespace {

using enum Showing;
using enum Verdict;
using Counts = CellTally::Counts;
using List = std::initializer_list<Showing>;

Counts Seen(List showings) {
  Counts counts{};
  for (Showing showing : showings) ++counts[static_cast<std::size_t>(showing)];
  return counts;
}

Verdict Reject(List alone, List together = {}) {
  return VerdictOf(isa::Effect::kReject, Seen(alone), Seen(together));
}

TEST(VerdictOfReject, AllRefusedAndNamedIsEnforced) {
  EXPECT_EQ(Reject({kRefused}), kEnforced);
  EXPECT_EQ(Reject({kRefused, kAccepted}), kEnforced);
  EXPECT_EQ(Reject({kRefused, kAccepted}, {kRefused}), kEnforced);
  EXPECT_EQ(Reject({kAccepted}, {kRefused}), kEnforced) << "never alone";
}

TEST(VerdictOfReject, NeverRefusedAndRanOnIsTolerated) {
  EXPECT_EQ(Reject({kRanAsExtended}), kTolerated);
  EXPECT_EQ(Reject({kRanUndefined}), kTolerated);
  EXPECT_EQ(Reject({kRanAsExtended, kRanUndefined, kAccepted}), kTolerated);
  // Beside a rule that is enforced.
  EXPECT_EQ(Reject({kRanAsExtended}, {kRefusedOtherwise}), kTolerated);
  EXPECT_EQ(Reject({}, {kRefusedOtherwise}), kTolerated);
  EXPECT_EQ(Reject({}, {kRanAsExtended}), kTolerated);
}

TEST(VerdictOfReject, EnforcedInPartIsViolated) {
  EXPECT_EQ(Reject({kRefused, kRanAsExtended}), kViolated);
  EXPECT_EQ(Reject({kRefused, kRanUndefined}), kViolated);
  EXPECT_EQ(Reject({kRefused}, {kRefusedOtherwise}), kViolated);
  EXPECT_EQ(Reject({kRefused}, {kRefused, kRefusedOtherwise}), kViolated);
  EXPECT_EQ(Reject({kRefused}, {kRanAsExtended}), kViolated);
  EXPECT_EQ(Reject({kRefused}, {kRanUndefined}), kViolated);
  EXPECT_EQ(Reject({kRanAsExtended}, {kRefused}), kViolated);
  EXPECT_EQ(Reject({}, {kRefused, kRefusedOtherwise}), kViolated);
  EXPECT_EQ(Reject({}, {kRefused, kRanUndefined}), kViolated);
}

TEST(VerdictOfReject, MisnamedIsViolated) {
  EXPECT_EQ(Reject({kRefusedOtherwise}), kViolated);
  EXPECT_EQ(Reject({kRefusedOtherwise, kRefused}), kViolated);
  EXPECT_EQ(Reject({kRefusedOtherwise}, {kRefused}), kViolated);
}

TEST(VerdictOfReject, AnythingWrongIsViolatedAloneAndTogether) {
  for (Showing wrong :
       {kRefusedLegal, kRanOtherwise, kWroteOutside, kCrashed, kHung}) {
    EXPECT_EQ(Reject({wrong}), kViolated) << isa::Name(wrong);
    EXPECT_EQ(Reject({}, {wrong}), kViolated) << isa::Name(wrong);
    EXPECT_EQ(Reject({kRefused, kAccepted, wrong}), kViolated);
    EXPECT_EQ(Reject({kAccepted, wrong}), kViolated);
  }
}

TEST(VerdictOfReject, WhatRunsWronglyBesideOthersIsTheirsIfAloneItRunsWell) {
  for (Showing wrong : {kRanOtherwise, kWroteOutside}) {
    EXPECT_EQ(Reject({kRanAsExtended}, {wrong}), kTolerated);
    EXPECT_EQ(Reject({kRanUndefined}, {wrong}), kTolerated);
    EXPECT_EQ(Reject({kRefused}, {wrong}), kViolated);
  }
  for (Showing wrong : {kRefusedLegal, kCrashed, kHung}) {
    EXPECT_EQ(Reject({kRanAsExtended}, {wrong}), kViolated);
  }
}

TEST(VerdictOfReject, WhatIsKeptProvesNoRule) {
  EXPECT_EQ(Reject({kAccepted}), kNotExercised);
  EXPECT_EQ(Reject({}), kNotExercised);
}

TEST(VerdictOfOthers, OneThatDiffersContradicts) {
  for (isa::Effect effect : {isa::Effect::kNote, isa::Effect::kSemantics}) {
    const auto of = [&](List alone, List together) {
      return VerdictOf(effect, Seen(alone), Seen(together));
    };
    EXPECT_EQ(of({kAsDocumented}, {}), kConfirmed);
    EXPECT_EQ(of({}, {}), kNotExercised);
    for (Showing bad : {kDifferently, kRefusedLegal, kCrashed, kHung}) {
      EXPECT_EQ(of({kAsDocumented, bad}, {}), kContradicted);
      EXPECT_EQ(of({kAsDocumented}, {bad}), kContradicted);
      EXPECT_EQ(of({bad}, {}), kContradicted);
    }
  }
}

TEST(Worse, OrdersEachKindAndIsSymmetric) {
  const std::vector<std::pair<Verdict, Verdict>> pairs = {
      {kEnforced, kTolerated},       {kEnforced, kViolated},
      {kEnforced, kNotExercised},    {kTolerated, kNotExercised},
      {kTolerated, kViolated},       {kNotExercised, kViolated},
      {kConfirmed, kNotExercised},   {kConfirmed, kContradicted},
      {kNotExercised, kContradicted}};
  for (const auto& [better, worse] : pairs) {
    EXPECT_EQ(Worse(better, worse), worse);
    EXPECT_EQ(Worse(worse, better), worse);
    EXPECT_EQ(Worse(worse, worse), worse);
  }
}

}  // namespace
}  // namespace lanediff::audit

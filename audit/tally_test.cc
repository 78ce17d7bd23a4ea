#include "audit/tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "audit/applicable_rules.h"
#include "audit/testing.h"

namespace lanediff::audit {
namespace {

constexpr std::string_view kTallied = "vec_trans";
constexpr isa::Product kTalliedOn = isa::Product::kAtlasA2;
constexpr isa::RuleId kTalliedRule("VT-REPEAT");

/// Refuses nothing that breaks VT-REPEAT, and leaves everything as it is then.
const test::HandMade& Careless() {
  static const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        const auto result = emulator.Execute(step);
        return result.rules.Contains(kTalliedRule) ? isa::StepResult{} : result;
      });
  return target;
}

/// Every number of the instruction, in `parts` tallies.
std::vector<Tally> Parts(const diff::Target& target, std::size_t parts) {
  std::vector<Tally> tallies(parts);
  for (const AuditCase& c : test::CasesIn(kTallied, 0, ~std::uint64_t{0})) {
    tallies[c.number % parts].Add(c, ResultOf(c.c, c.rule, target));
  }
  return tallies;
}

const Tally& Good() {
  static const Tally tally = Parts(test::TheEmulator(), 1)[0];
  return tally;
}
const Tally& Bad() {
  static const Tally tally = Parts(Careless(), 1)[0];
  return tally;
}

const Point& PointAt(const Tally& tally, std::int64_t value) {
  const auto& points = tally.FindCell(kTalliedRule, kTalliedOn)->points;
  const auto found = std::ranges::find_if(points, [&](const Point& point) {
    return point.field == "repeat_times" && point.value == value;
  });
  EXPECT_NE(found, points.end()) << value;
  return *found;
}

const CellTally& CellOf(const Tally& tally, isa::RuleId rule) {
  return *tally.FindCell(rule, kTalliedOn);
}

TEST(Tally, IsTheSameInWhateverOrderItsPartsAreMerged) {
  const auto parts = Parts(Careless(), 3);
  std::vector<std::size_t> order = {0, 1, 2};
  std::optional<std::string> first;
  do {
    Tally sum;
    for (std::size_t i : order) sum.Merge(parts[i]);
    if (!first) first = sum.Serialized();
    EXPECT_TRUE(sum.Serialized() == *first);
  } while (std::ranges::next_permutation(order).found);
  EXPECT_TRUE(Bad().Serialized() == *first);
}

TEST(Tally, ComesBackFromItsBytes) {
  const auto bytes = Bad().Serialized();
  Tally back = Tally::Parse(bytes).value();
  EXPECT_TRUE(back.Serialized() == bytes);
  EXPECT_GT(back.cases, 1000u);
  const CellTally& cell = CellOf(back, kTalliedRule);
  ASSERT_FALSE(cell.bad.empty());
  EXPECT_NE(cell.bad[0].message, "");
  ASSERT_FALSE(cell.points.empty());
  EXPECT_EQ(cell.points.front().field, "repeat_times");
  for (CellTally& each : back.cells) {
    for (Candidate& one : each.bad) one.message = "a\x1b[2J";
  }
  EXPECT_FALSE(Tally::Parse(back.Serialized()));
}

TEST(Tally, HasPointsOnBothSidesOfARange) {
  const std::map<std::int64_t, bool> ends = {
      {0, false}, {1, true}, {4095, true}, {4096, false}};
  for (const auto& [value, allowed] : ends) {
    const Point& point = PointAt(Good(), value);
    EXPECT_EQ(point.element_bits, 0);
    EXPECT_EQ(point.allowed, allowed) << value;
    EXPECT_EQ(point.accepted > 0, allowed) << value;
    EXPECT_EQ(point.refused > 0, !allowed) << value;
    const Point& careless = PointAt(Bad(), value);
    EXPECT_EQ(careless.allowed, allowed) << value;
    EXPECT_EQ(careless.refused, 0u) << value;
    EXPECT_EQ(careless.accepted, point.accepted + point.refused) << value;
  }
}

TEST(Tally, KeepsFewCandidatesAndTheSameForEveryTarget) {
  std::size_t looked_at = 0;
  for (const CellTally& cell : Good().cells) {
    EXPECT_TRUE(cell.bad.empty()) << cell.rule.text();
    for (std::size_t side = 0; side < isa::kCount<Side>; ++side) {
      EXPECT_LE(std::ranges::count(cell.typical, static_cast<Side>(side),
                                   &Candidate::side),
                2);
    }
    const CellTally& other = CellOf(Bad(), cell.rule);
    for (std::size_t s = 0; s < isa::kCount<Showing>; ++s) {
      EXPECT_LE(std::ranges::count(other.bad, static_cast<Showing>(s),
                                   &Candidate::showing),
                2);
    }
    if (isa::FindRule(cell.rule.text())->effect != isa::Effect::kReject)
      continue;
    ASSERT_EQ(cell.typical.size(), other.typical.size()) << cell.rule.text();
    for (std::size_t i = 0; i < cell.typical.size(); ++i, ++looked_at) {
      EXPECT_EQ(cell.typical[i].Rank(), other.typical[i].Rank())
          << cell.rule.text();
    }
  }
  EXPECT_GT(looked_at, 10u);
}

TEST(Tally, KeepsWhatIsNearestToTheBoundary) {
  for (const Candidate& c : CellOf(Good(), kTalliedRule).typical) {
    EXPECT_LE(c.distance, 1u) << c.what;
  }
}

TEST(Tally, SumsUnsupportedAndMalformedAndKeepsSomeProblems) {
  const auto cases = test::CasesIn(kTallied, 0, 60);
  ASSERT_GT(cases.size(), 30u);
  Tally tally;
  for (const AuditCase& c : cases) {
    CaseResult result;
    result.unsupported = true;
    result.malformed = "problem " + c.c.id;
    tally.Add(c, result);
  }
  Tally sum;
  sum.Merge(tally);
  sum.Merge(Tally::Parse(tally.Serialized()).value());
  EXPECT_EQ(sum.cases, 2 * cases.size());
  EXPECT_EQ(sum.unsupported, 2 * cases.size());
  EXPECT_EQ(sum.malformed, 2 * cases.size());
  EXPECT_EQ(sum.problems.size(), 20u);
  EXPECT_TRUE(sum.cells.empty());
}

using enum Showing;
using enum Verdict;
using Counts = ShowingCounts;
using List = std::vector<Showing>;

Counts Seen(const List& showings) {
  Counts counts{};
  for (Showing showing : showings) ++counts[static_cast<std::size_t>(showing)];
  return counts;
}

Verdict Reject(const List& alone, const List& together = {}) {
  return VerdictOf(isa::Effect::kReject, Seen(alone), Seen(together));
}

TEST(VerdictOfReject, IsThatOfAllShowings) {
  struct Row {
    Verdict verdict;
    List alone;
    List together = {};
  };
  const Row rows[] = {
      {kEnforced, {kRefused}},
      {kEnforced, {kRefused, kAccepted}},
      {kEnforced, {kRefused, kAccepted}, {kRefused}},
      {kEnforced, {kAccepted}, {kRefused}},  // never alone
      // Never refused, and ran on.
      {kTolerated, {kRanAsExtended}},
      {kTolerated, {kRanUndefined}},
      {kTolerated, {kRanAsExtended, kRanUndefined, kAccepted}},
      // Beside a rule that is enforced.
      {kTolerated, {kRanAsExtended}, {kRefusedOtherwise}},
      {kTolerated, {}, {kRefusedOtherwise}},
      {kTolerated, {}, {kRanAsExtended}},
      // Enforced in part.
      {kViolated, {kRefused, kRanAsExtended}},
      {kViolated, {kRefused, kRanUndefined}},
      {kViolated, {kRefused}, {kRefusedOtherwise}},
      {kViolated, {kRefused}, {kRefused, kRefusedOtherwise}},
      {kViolated, {kRefused}, {kRanAsExtended}},
      {kViolated, {kRefused}, {kRanUndefined}},
      {kViolated, {kRanAsExtended}, {kRefused}},
      {kViolated, {}, {kRefused, kRefusedOtherwise}},
      {kViolated, {}, {kRefused, kRanUndefined}},
      // Another rule is named.
      {kViolated, {kRefusedOtherwise}},
      {kViolated, {kRefusedOtherwise, kRefused}},
      {kViolated, {kRefusedOtherwise}, {kRefused}},
      // What is kept proves no rule.
      {kNotExercised, {kAccepted}},
      {kNotExercised, {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Reject(row.alone, row.together), row.verdict) << &row - &rows[0];
  }
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

TEST(VerdictOfOthers, OneThatDiffersContradicts) {
  for (isa::Effect effect : {isa::Effect::kNote, isa::Effect::kSemantics}) {
    const auto of = [&](const List& alone, const List& together) {
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

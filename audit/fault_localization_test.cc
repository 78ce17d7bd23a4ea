#include "audit/fault_localization.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using Rules = std::vector<isa::RuleId>;

constexpr isa::RuleId kAddress("MIN-ADDRESS");
constexpr isa::RuleId kLanes("MIN-MASK-LANES");
constexpr isa::RuleId kValue("MIN-VALUE");
constexpr isa::RuleId kRegister("STATE-MASK-REGISTER");
constexpr isa::RuleId kSign("ARITH-ZERO-SIGN");

/// Conditions of calls of one type.
Conditions Of(std::uint8_t form, bool is_set_mask, std::int64_t count = 64) {
  isa::Call call = isa::CallOf("Min");
  call.dtype = isa::DType::kInt32;
  call.form = form;
  call[isa::Param::kCount] = count;
  call.is_set_mask = is_set_mask;
  return ConditionsOf(call, {});
}
const Conditions kWhole = Of(isa::kCountForm, true, 64);
const Conditions kTail = Of(isa::kCountForm, true, 65);
const Conditions kOwn = Of(isa::kMaskForm, true);
const Conditions kOthers = Of(isa::kMaskForm, false);

FailingRuns WrongOf(Rules suspects, Conditions conditions,
                    std::uint64_t cases) {
  std::ranges::sort(suspects);
  return {.suspects = std::move(suspects),
          .conditions = conditions,
          .mismatch = MismatchKind::kMissing,
          .cases = cases};
}

PassingRuns RightOf(Rules rules, Conditions conditions, std::uint64_t cases) {
  std::ranges::sort(rules);
  return {.rules = std::move(rules), .conditions = conditions, .cases = cases};
}

/// Own masks and whole DataBlocks come out right.
std::vector<PassingRuns> Sound() {
  return {RightOf({kAddress, kValue}, kWhole, 900),
          RightOf({kAddress, kValue, kLanes}, kOwn, 9000),
          RightOf({kRegister}, kOwn, 300)};
}

/// The rules of each fault, in their order.
std::vector<Rules> Blamed(const std::vector<FailingRuns>& wrongs,
                          const std::vector<PassingRuns>& rights,
                          const std::vector<Measurement>& measured = {}) {
  std::vector<Rules> rules;
  for (const Fault& fault : LocalizeFaults(wrongs, rights, measured)) {
    rules.push_back(fault.rules);
  }
  return rules;
}
using Faults = std::vector<Rules>;

/// Wrong results of another kind than missing ones.
FailingRuns As(MismatchKind mismatch, FailingRuns wrong) {
  wrong.mismatch = mismatch;
  return wrong;
}

TEST(LocalizeFaults, TheRuleThatFewRightResultsRestOn) {
  const auto all = LocalizeFaults(
      {WrongOf({kAddress, kValue, kLanes, kRegister}, kOthers, 500)}, Sound());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].rules, Rules{kRegister});
  EXPECT_TRUE(all[0].co_suspects.empty());
}

TEST(LocalizeFaults, TwoDefectsAreTwoRulesWhicheverIsTheLarger) {
  for (const auto& [tails, registers] :
       {std::pair(5000u, 200u), std::pair(200u, 5000u), std::pair(30u, 30u)}) {
    const std::vector<FailingRuns> wrongs = {
        WrongOf({kAddress, kValue}, kTail, tails),
        WrongOf({kAddress, kValue, kLanes, kRegister}, kOthers, registers)};
    const auto all = LocalizeFaults(wrongs, Sound());
    ASSERT_EQ(all.size(), 2u) << tails;
    for (const Fault& blame : all) {
      ASSERT_EQ(blame.failing.size(), 1u) << tails;
      const bool of_tails = blame.failing[0] == 0;
      EXPECT_EQ(blame.rules, Rules{of_tails ? kAddress : kRegister}) << tails;
      if (!of_tails) continue;
      // An element at a wrong place looks like a wrong element.
      EXPECT_EQ(blame.co_suspects, Rules{kValue});
      EXPECT_NE(TextOf(blame.conditions).find("DataBlock"), std::string::npos)
          << TextOf(blame.conditions);
      EXPECT_EQ(blame.right, 0u);
    }
  }
}

TEST(LocalizeFaults, ARuleThatIsBlamedAlreadyExplainsTheRestAlone) {
  for (const Rules& rules : Blamed({WrongOf({kAddress, kLanes}, kOwn, 400),
                                    WrongOf({kAddress, kValue}, kTail, 3)},
                                   {RightOf({kValue}, kTail, 40)})) {
    EXPECT_EQ(rules, Rules{kAddress});
  }
  for (const Rules& rules : Blamed({WrongOf({kAddress}, kTail, 10),
                                    WrongOf({kAddress, kLanes}, kOwn, 5)},
                                   {RightOf({kAddress, kLanes}, kOwn, 1000)})) {
    EXPECT_EQ(rules, Rules{kAddress});
  }
}

TEST(LocalizeFaults, RulesThatNothingDistinguishesAreAllNamed) {
  FailingRuns wrong = WrongOf({kAddress, kLanes, kRegister}, kOwn, 5);
  EXPECT_EQ(Blamed({wrong}, Sound()), Faults{{kRegister}})
      << "few right results";
  EXPECT_EQ(Blamed({wrong}, {RightOf({kLanes}, kTail, 9)}),
            (Faults{{kAddress, kRegister}}));
  wrong.made_for = kAddress;
  EXPECT_EQ(Blamed({wrong}, {}), Faults{{kAddress}});
}

TEST(LocalizeFaults, SignsOfZeroGoToTheRuleThatChangesZeros) {
  const std::vector<PassingRuns> rights = {
      RightOf({kAddress, kValue, kLanes}, kOwn, 9000),
      RightOf({kAddress, kValue, kLanes, kSign}, kOwn, 800)};
  for (const std::uint64_t lost : {0u, 23u, 24u, 60u}) {
    const auto all = LocalizeFaults(
        {WrongOf({kAddress, kLanes}, kOwn, 500),
         As(MismatchKind::kZeroLost, WrongOf({kAddress, kLanes}, kOwn, lost)),
         As(MismatchKind::kZeroSign,
            WrongOf({kAddress, kLanes, kValue, kSign}, kOwn, 24))},
        rights);
    const bool one = lost > 24;
    ASSERT_EQ(all.size(), one ? 1u : 2u) << lost;
    EXPECT_EQ(all[0].rules, (Rules{kAddress, kLanes})) << lost;
    EXPECT_EQ(all[0].failing.size(), one ? 3u : 2u) << lost;
    if (one) continue;
    EXPECT_EQ(all[1].rules, Rules{kSign}) << lost;
    EXPECT_EQ(all[1].right, 800u);
    EXPECT_TRUE(all[1].co_suspects.empty());
  }
}

TEST(LocalizeFaults, SignsThatOneOfTwoEqualRulesExplainsStayOpen) {
  const auto all = LocalizeFaults(
      {WrongOf({kAddress, kLanes}, kOwn, 500),
       As(MismatchKind::kZeroLost, WrongOf({kAddress, kLanes}, kOwn, 60)),
       As(MismatchKind::kZeroSign, WrongOf({kAddress, kSign}, kOwn, 24))},
      {RightOf({kAddress, kLanes}, kOwn, 9000)});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].rules, (Rules{kAddress, kLanes}));
  EXPECT_EQ(all[0].failing.size(), 2u);
}

TEST(LocalizeFaults, SignsOfZeroGoToARuleOfValuesThatIsBlamedAlready) {
  constexpr isa::RuleId kNan("ARITH-NAN");
  EXPECT_EQ(Blamed({WrongOf({kNan, kValue}, kOwn, 50),
                    As(MismatchKind::kZeroSign,
                       WrongOf({kNan, kSign, kValue}, kOwn, 9))},
                   {RightOf({kValue}, kOwn, 900)}),
            Faults{{kNan}});
}

TEST(LocalizeFaults, ARuleOfSeveralInstructionsIsBlamedWhereSeveralShowIt) {
  constexpr isa::RuleId kRound("ARITH-ROUND");
  constexpr isa::RuleId kTree("WRS-TREE");
  const Conditions min = OfOp("Min");
  const Conditions sum = OfOp("WholeReduceSum");
  const std::vector<PassingRuns> rights = {RightOf({kRound, kValue}, min, 40),
                                           RightOf({kTree}, sum, 4000)};
  FailingRuns one =
      As(MismatchKind::kOther, WrongOf({kRound, kTree}, sum, 300));
  EXPECT_EQ(Blamed({one}, rights), Faults{{kTree}}) << "sums alone are wrong";
  const FailingRuns two =
      As(MismatchKind::kOther, WrongOf({kRound, kValue}, min, 200));
  EXPECT_EQ(Blamed({one, two}, rights)[0], Rules{kRound});
  // Where no other instruction was compared it is blamed as any rule is.
  EXPECT_EQ(Blamed({one}, {RightOf({kTree}, sum, 4000)})[0], Rules{kRound});
  // And where nothing else explains the results.
  one.suspects = {kRound};
  EXPECT_EQ(Blamed({one}, rights)[0], Rules{kRound});
}

TEST(LocalizeFaults, WhatWasMeasuredIsTheOnlySuspectOfWhatItMayExplain) {
  std::vector<Measurement> measured = {{.rule = kValue.text(),
                                        .conditions = OfOp("Min"),
                                        .follows = false,
                                        .text = ""}};
  FailingRuns wrong = WrongOf({kAddress, kLanes, kValue}, kOwn, 50);
  EXPECT_EQ(Blamed({wrong}, Sound(), measured)[0], Rules{kLanes})
      << "elements that were not written have no value";
  wrong.mismatch = MismatchKind::kOther;
  const auto blamed = LocalizeFaults({wrong}, Sound(), measured);
  ASSERT_EQ(blamed.size(), 1u);
  EXPECT_EQ(blamed[0].rules, Rules{kValue});
  EXPECT_TRUE(blamed[0].co_suspects.empty());
  // Other calls are not concerned.
  measured[0].conditions = OfOp("Max");
  EXPECT_EQ(Blamed({wrong}, Sound(), measured)[0], Blamed({wrong}, Sound())[0]);
  // A rule that is followed is suspected only if it is the only suspect.
  measured[0].conditions = OfOp("Min");
  measured[0].follows = true;
  EXPECT_EQ(Blamed({wrong}, {}, measured)[0], (Rules{kAddress, kLanes}));
  wrong.suspects = {kValue};
  EXPECT_EQ(Blamed({wrong}, {}, measured)[0], Rules{kValue});
}

TEST(LocalizeFaults, BlamesEachWrongResultOnce) {
  std::vector<FailingRuns> wrongs;
  for (std::uint64_t i = 0; i < 40; ++i) {
    wrongs.push_back(WrongOf({i % 2 == 0 ? kAddress : kValue},
                             i % 3 == 0 ? kTail : kOwn, i + 1));
  }
  std::vector<std::size_t> seen;
  for (const Fault& blame : LocalizeFaults(wrongs, Sound())) {
    for (std::size_t i : blame.failing) {
      seen.push_back(i);
      EXPECT_EQ(blame.rules, wrongs[i].suspects);
    }
  }
  std::ranges::sort(seen);
  ASSERT_EQ(seen.size(), wrongs.size());
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
  EXPECT_TRUE(LocalizeFaults({}, Sound()).empty());
}

TEST(Conditions, ArePrintedInWords) {
  EXPECT_EQ(TextOf(0), "");
  EXPECT_EQ(TextOf(kTail),
            "of Min, of int32, in form count, where the last DataBlock is not "
            "full, where the last 256 bytes are not full");
  EXPECT_EQ(TextOf(kOthers),
            "of Min, of int32, without isSetMask, in a form with a mask");
  EXPECT_EQ(TextOf(InProgram(0)), "in a program of several instructions");
  EXPECT_EQ(Singles(kOthers).size(), 4u);
}

TEST(Conditions, AMaskHasGapsWhereLanesBeforeAnotherAreLeftOut) {
  isa::Call call = isa::CallOf("Min");
  call.form = isa::kBitsForm;
  const auto reads = [](std::int64_t lane, std::int64_t lanes) {
    return isa::Access{.operand = "src0",
                       .bytes = 2 * lanes,
                       .dtype = isa::DType::kHalf,
                       .lane = lane};
  };
  const auto gaps = [&](std::vector<isa::Access> accesses) {
    return (ConditionsOf(call, accesses) & WithMaskGaps()) != 0;
  };
  EXPECT_FALSE(gaps({}));
  EXPECT_FALSE(gaps({reads(0, 16), reads(16, 3)}));
  EXPECT_TRUE(gaps({reads(0, 16), reads(32, 3)}));
  EXPECT_TRUE(gaps({reads(1, 15)}));
  auto next = reads(40, 16);
  next.iteration = 1;
  EXPECT_FALSE(gaps({reads(0, 16), next})) << "of another iteration";
  EXPECT_EQ(ConditionsOf(isa::PipeBarrier(), std::vector{reads(1, 15)}) &
                WithMaskGaps(),
            Conditions{0});
  EXPECT_EQ(FormIn(ConditionsOf(call, {})), "mask-words");
  EXPECT_EQ(FormIn(kWhole), "count");
  EXPECT_EQ(FormIn(kOthers), "register");
  EXPECT_EQ(OpIn(kWhole), OfOp("Min"));
  EXPECT_TRUE(Hold(kTail, OfOp("Min") | OfType(isa::DType::kInt32)));
  EXPECT_FALSE(Hold(kTail, OfOp("Max")));
  EXPECT_FALSE(Hold(kTail, OfType(isa::DType::kHalf)));
  EXPECT_TRUE(Hold(0, 0));
}

}  // namespace
}  // namespace lanediff::audit

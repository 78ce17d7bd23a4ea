#include "audit/blaming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using Rules = std::vector<std::string_view>;

constexpr std::string_view kAddress = "MIN-ADDRESS";
constexpr std::string_view kLanes = "MIN-MASK-LANES";
constexpr std::string_view kValue = "MIN-VALUE";
constexpr std::string_view kRegister = "STATE-MASK-REGISTER";

/// Conditions of calls of one type.
Conditions Of(std::uint8_t form, bool is_set_mask, std::int64_t count = 64) {
  isa::Min call;
  call.dtype = isa::DType::kInt32;
  call.form = form;
  call.count = count;
  call.is_set_mask = is_set_mask;
  return ConditionsOf(call);
}
const Conditions kWhole = Of(isa::Min::kCount, true, 64);
const Conditions kTail = Of(isa::Min::kCount, true, 65);
const Conditions kOwn = Of(isa::Min::kContiguous, true);
const Conditions kOthers = Of(isa::Min::kContiguous, false);

Wrong WrongOf(Rules suspects, Conditions conditions, std::uint64_t cases) {
  std::ranges::sort(suspects);
  return {.suspects = std::move(suspects),
          .made_for = {},
          .conditions = conditions,
          .blot = Blot::kMissing,
          .cases = cases};
}

Right RightOf(Rules rules, Conditions conditions, std::uint64_t cases) {
  std::ranges::sort(rules);
  return {std::move(rules), conditions, cases};
}

/// Own masks and whole DataBlocks come out right.
std::vector<Right> Sound() {
  return {RightOf({kAddress, kValue}, kWhole, 900),
          RightOf({kAddress, kValue, kLanes}, kOwn, 9000),
          RightOf({kRegister}, kOwn, 300)};
}

TEST(Blame, TheRuleThatFewRightResultsRestOn) {
  const auto all = FindBlame(
      {WrongOf({kAddress, kValue, kLanes, kRegister}, kOthers, 500)}, Sound());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].rule, kRegister);
  EXPECT_TRUE(all[0].co_suspects.empty());
}

TEST(Blame, TwoDefectsAreTwoRulesWhicheverIsTheLarger) {
  for (const auto& [tails, registers] :
       {std::pair(5000u, 200u), std::pair(200u, 5000u), std::pair(30u, 30u)}) {
    const std::vector<Wrong> wrongs = {
        WrongOf({kAddress, kValue}, kTail, tails),
        WrongOf({kAddress, kValue, kLanes, kRegister}, kOthers, registers)};
    const auto all = FindBlame(wrongs, Sound());
    ASSERT_EQ(all.size(), 2u) << tails;
    for (const Blame& blame : all) {
      ASSERT_EQ(blame.wrongs.size(), 1u) << tails;
      const bool of_tails = blame.wrongs[0] == 0;
      EXPECT_EQ(blame.rule, of_tails ? kAddress : kRegister) << tails;
      if (!of_tails) continue;
      // Nothing tells an element at a wrong place from a wrong element.
      EXPECT_EQ(blame.co_suspects, Rules{kValue});
      EXPECT_NE(TextOf(blame.conditions).find("DataBlock"), std::string::npos)
          << TextOf(blame.conditions);
      EXPECT_EQ(blame.right, 0u);
    }
  }
}

TEST(Blame, ARuleThatExplainsTheRestIsNotJoinedByAnother) {
  const auto all = FindBlame({WrongOf({kAddress, kLanes}, kOwn, 400),
                              WrongOf({kAddress, kValue}, kTail, 3)},
                             {RightOf({kValue}, kTail, 40)});
  for (const Blame& blame : all) EXPECT_EQ(blame.rule, kAddress);
}

TEST(Blame, SignsOfZeroGoToWhoMakesOtherValuesOfZeros) {
  constexpr std::string_view kSign = "ARITH-ZERO-SIGN";
  const std::vector<Right> rights = {
      RightOf({kAddress, kValue, kLanes}, kOwn, 9000),
      RightOf({kAddress, kValue, kLanes, kSign}, kOwn, 800)};
  for (const std::uint64_t lost : {0u, 23u, 24u, 60u}) {
    std::vector<Wrong> wrongs = {
        WrongOf({kAddress, kLanes}, kOwn, 500),
        WrongOf({kAddress, kLanes}, kOwn, lost),
        WrongOf({kAddress, kLanes, kValue, kSign}, kOwn, 24)};
    wrongs[1].blot = Blot::kZeroLost;
    wrongs[2].blot = Blot::kZeroSign;
    const auto all = FindBlame(wrongs, rights);
    const bool one = lost > 24;
    ASSERT_EQ(all.size(), one ? 1u : 2u) << lost;
    EXPECT_EQ(all[0].rule, kAddress) << lost;
    EXPECT_EQ(all[0].wrongs.size(), one ? 3u : 2u) << lost;
    if (one) continue;
    EXPECT_EQ(all[1].rule, kSign) << lost;
    EXPECT_EQ(all[1].right, 800u);
    EXPECT_TRUE(all[1].co_suspects.empty());
  }
}

TEST(Blame, SignsOfZeroGoToARuleOfValuesThatIsBlamedAlready) {
  constexpr std::string_view kNan = "ARITH-NAN";
  constexpr std::string_view kSign = "ARITH-ZERO-SIGN";
  std::vector<Wrong> wrongs = {WrongOf({kNan, kValue}, kOwn, 50),
                               WrongOf({kNan, kSign, kValue}, kOwn, 9)};
  wrongs[1].blot = Blot::kZeroSign;
  const auto all = FindBlame(wrongs, {RightOf({kValue}, kOwn, 900)});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].rule, kNan);
  EXPECT_EQ(all[0].wrongs.size(), 2u);
}

TEST(Blame, EachWrongResultOnceAndNobodyElse) {
  std::vector<Wrong> wrongs;
  for (std::uint64_t i = 0; i < 40; ++i) {
    wrongs.push_back(WrongOf({i % 2 == 0 ? kAddress : kValue},
                             i % 3 == 0 ? kTail : kOwn, i + 1));
  }
  std::vector<std::size_t> seen;
  for (const Blame& blame : FindBlame(wrongs, Sound())) {
    for (std::size_t i : blame.wrongs) {
      seen.push_back(i);
      EXPECT_TRUE(std::ranges::count(wrongs[i].suspects, blame.rule));
    }
  }
  std::ranges::sort(seen);
  ASSERT_EQ(seen.size(), wrongs.size());
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
  EXPECT_TRUE(FindBlame({}, Sound()).empty());
}

TEST(Conditions, AreSaidInWords) {
  EXPECT_EQ(TextOf(0), "");
  EXPECT_EQ(TextOf(kTail),
            "of Min, of int32, in form count, where the last DataBlock is not "
            "full, where the last 256 bytes are not full");
  EXPECT_EQ(TextOf(kOthers), "of Min, of int32, without isSetMask");
  EXPECT_EQ(TextOf(InProgram(0)), "in a program of several instructions");
  EXPECT_EQ(Singles(kOthers).size(), 3u);
}

}  // namespace
}  // namespace lanediff::audit

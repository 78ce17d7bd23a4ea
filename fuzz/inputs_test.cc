// Which cases are varied next. The test counts the visits of a place instead of
// fuzz/guidance.cc, which belongs to a program with libFuzzer.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "fuzz/entry.h"
#include "fuzz/favourites.h"
#include "fuzz/guidance.h"
#include "generators/random/generate.h"
#include "generators/random/mutate.h"

namespace lanediff::fuzz {
namespace {

std::map<std::size_t, std::uint64_t>& Visits() {
  static std::map<std::size_t, std::uint64_t> visits;
  return visits;
}

/// Turns of each test; a difference of one turn has no meaning.
constexpr int kTurns = 4000;
constexpr std::uint64_t kNever = 1'000'000'000;

class Favourites : public testing::Test {
 protected:
  /// None may be left of another test: 64 at most are kept, and of those here
  /// the places count as visited so often that no other is before them.
  void Add(const std::string& id, std::vector<std::size_t> places, bool legal) {
    Case c;
    c.id = id;
    c.program.emplace_back(isa::PipeBarrier{});
    AddFavourite(c, std::move(places), legal);
  }
  void FillWith(const std::string& id) {
    Visits()[0] = kNever;
    for (int i = 0; i < 64; ++i) Add(id, {0}, true);
  }
  std::map<std::string, int> Turns() {
    std::map<std::string, int> turns;
    for (int i = 0; i < kTurns; ++i) {
      const Case* const c = NextFavourite(random_);
      ++turns[c == nullptr ? "none" : c->id];
    }
    return turns;
  }
  make::Random random_{21};
};

TEST_F(Favourites, AreVariedMoreThanHalfOfTheTime) {
  FillWith("old");
  auto turns = Turns();
  EXPECT_GT(turns["old"], kTurns / 2);
  EXPECT_GT(turns["none"], kTurns / 4);
}

TEST_F(Favourites, TheOneWhosePlaceWasVisitedLeastIsMostlyNext) {
  FillWith("old");
  Visits()[1] = 50'000;
  Visits()[2] = 10;
  Add("often", {1}, true);
  Add("seldom", {2, 1}, true);
  auto turns = Turns();
  EXPECT_GT(turns["seldom"], kTurns / 3);
  EXPECT_LT(turns["often"], kTurns / 10);
  EXPECT_GT(turns["often"] + turns["old"], 0) << "some without a reason";
}

TEST_F(Favourites, WhatWasTriedOftenIsNotAllThatIsTried) {
  FillWith("old");
  Visits()[3] = Visits()[4] = 10;
  Add("one", {3}, true);
  Add("two", {4}, true);
  auto turns = Turns();
  EXPECT_GT(turns["one"], kTurns / 6);
  EXPECT_GT(turns["two"], kTurns / 6);
}

TEST_F(Favourites, AnIllegalOneHasToHaveReachedWhatIsMuchRarer) {
  FillWith("old");
  Visits()[5] = Visits()[6] = 1'000'000;
  Add("illegal", {5}, false);
  Add("legal", {6}, true);
  auto turns = Turns();
  EXPECT_GT(turns["legal"], kTurns / 3);
  EXPECT_LT(turns["illegal"], kTurns / 10);
}

TEST_F(Favourites, OneWithoutStepsOrWithoutAPlaceIsNone) {
  FillWith("old");
  Visits()[7] = 0;
  AddFavourite(Case{}, {7}, true);
  Add("nowhere", {}, true);
  auto turns = Turns();
  EXPECT_EQ(turns["nowhere"], 0);
  EXPECT_EQ(turns[""], 0);
  EXPECT_GT(turns["old"], 0);
}

TEST_F(Favourites, TheOldestGoes) {
  FillWith("old");
  FillWith("new");
  auto turns = Turns();
  EXPECT_EQ(turns["old"], 0);
  EXPECT_GT(turns["new"], 0);
}

TEST_F(Favourites, OneIsNotVariedForEver) {
  FillWith("old");
  Visits()[8] = 0;
  Add("stuck", {8}, true);
  int stuck = 0;
  for (int i = 0; i < 32 * kTurns; ++i) {
    const Case* const c = NextFavourite(random_);
    stuck += c != nullptr && c->id == "stuck";
  }
  EXPECT_EQ(stuck, 32768);
}

// ---- Inputs within what a target claims, mutated ones, too ------------------

constexpr int kCases = 400;

/// How many of `kCases` that `make()` returns are beyond `can`.
template <class Make>
int Beyond(const diff::Capabilities& can, const Make& make) {
  int beyond = 0;
  for (int i = 0; i < kCases; ++i) {
    beyond += diff::BeyondCapabilities(make(), can).has_value();
  }
  return beyond;
}

diff::Capabilities HalfOnA2() {
  diff::Capabilities can;
  can.products = {isa::Product::kAtlasA2};
  can.dtypes = {isa::DType::kHalf};
  return can;
}

TEST(Within, EveryGeneratorKeepsToWhatIsClaimed) {
  const diff::Capabilities can = HalfOnA2();
  for (const make::Generator& generator : make::Generators()) {
    make::Random random(7);
    const auto make = [&](const diff::Capabilities* within) {
      return [&, within] {
        return make::Generate(generator.slug, random, make::Style::kByIntent,
                              within)
            .c;
      };
    };
    EXPECT_EQ(Beyond(can, make(&can)) == 0, diff::Claims(can, generator.slug))
        << generator.slug;
    EXPECT_GT(Beyond(can, make(nullptr)), kCases / 10) << generator.slug;
  }
}

TEST(Within, ProgramsHaveOnlyClaimedInstructions) {
  diff::Capabilities can = HalfOnA2();
  can.instructions = {"Min", "DataCopy"};
  can.saturation = {true};
  make::Random random(8);
  EXPECT_EQ(Beyond(can,
                   [&] {
                     return make::Generate("program", random,
                                           make::Style::kByIntent, &can)
                         .c;
                   }),
            0);
}

TEST(Within, WhatIsClaimedChangesNothingWhereItIsAll) {
  const diff::Capabilities all;
  make::Random random(9), same(9);
  for (int i = 0; i < kCases; ++i) {
    EXPECT_EQ(make::Generate("program", random).c,
              make::Generate("program", same, make::Style::kByIntent, &all).c);
  }
}

TEST(Within, AChangeIsMadeAgainUntilItIsWithin) {
  const diff::Capabilities can = HalfOnA2();
  make::Random random(10);
  const auto mutate = [&] {
    Case c = make::Generate("program", random, make::Style::kByIntent, &can).c;
    for (int n = 0; n < 3; ++n) make::Mutate(random, c);
    return c;
  };
  EXPECT_GT(Beyond(can, mutate), kCases / 20);
  EXPECT_EQ(Beyond(can, [&] { return MakeWithin(can, mutate); }), 0);
}

TEST(Within, IsGivenUpAfterAFewTries) {
  const diff::Capabilities can = HalfOnA2();
  Case elsewhere;
  elsewhere.product = isa::Product::kAtlasTraining;
  int made = 0;
  const Case c = MakeWithin(can, [&] {
    ++made;
    return elsewhere;
  });
  EXPECT_EQ(c, elsewhere);
  EXPECT_EQ(made, 16);
}

}  // namespace

std::uint64_t VisitsOf(std::size_t place) { return Visits()[place]; }

}  // namespace lanediff::fuzz

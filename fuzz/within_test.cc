// Inputs are made within what a target claims, mutated ones, too.

#include "fuzz/within.h"

#include <gtest/gtest.h>

#include <string_view>

#include "generators/random/generate.h"
#include "generators/random/mutate.h"

namespace lanediff::fuzz {
namespace {

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
    EXPECT_EQ(Beyond(can, make(&can)), 0) << generator.slug;
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
}  // namespace lanediff::fuzz

#include "reports/rates.h"

#include <gtest/gtest.h>

namespace lanediff::reports {
namespace {

constexpr diff::Pace kPace = {.legal = {.cases = 30,
                                        .seconds = 6,
                                        .reference_seconds = 3,
                                        .target_seconds = 1.5},
                              .illegal = {.cases = 10,
                                          .seconds = 1,
                                          .reference_seconds = 0.5,
                                          .target_seconds = 0.25}};

TEST(Rates, SharesAddUpAndWhatMakesCasesIsCountedAlike) {
  const auto lines = RateLines("min", "release", kPace, 11);
  ASSERT_EQ(lines.size(), 2);
  // Four seconds made 40 cases.
  EXPECT_EQ(lines[0].kind, "legal");
  EXPECT_DOUBLE_EQ(lines[0].per_second, 30 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].oracle, 3 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].target, 1.5 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].harness, 1.5 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].fuzzer, 3 / 9.0);
  EXPECT_EQ(lines[1].kind, "illegal");
  EXPECT_EQ(lines[1].cases, 10);
  EXPECT_DOUBLE_EQ(lines[1].per_second, 10 / 2.0);
  EXPECT_DOUBLE_EQ(lines[1].harness, 0.25 / 2.0);
  EXPECT_DOUBLE_EQ(lines[1].fuzzer, 1 / 2.0);
}

TEST(Rates, WithoutCasesThereAreNoLines) {
  EXPECT_TRUE(RateLines("min", "release", {}, 5).empty());
  EXPECT_EQ(RatesText({}), "");
  diff::Pace legal = kPace;
  legal.illegal = {};
  EXPECT_EQ(RateLines("min", "release", legal, 6).size(), 1);
}

TEST(Rates, TextHasALineForEach) {
  const auto lines = RateLines("min", "asan+ubsan", kPace, 11);
  EXPECT_EQ(
      RatesText(lines),
      "rates              build        cases               a second   oracle   "
      "target  harness   fuzzer\n"
      "min                asan+ubsan   legal           30         3   33.3 %   "
      "16.7 %   16.7 %   33.3 %\n"
      "min                asan+ubsan   illegal         10         5   25.0 %   "
      "12.5 %   12.5 %   50.0 %\n");
}

}  // namespace
}  // namespace lanediff::reports

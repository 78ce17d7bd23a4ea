#include "diff/pace.h"

#include <gtest/gtest.h>

#include "diff/generate/generate.h"
#include "diff/generate/random.h"

namespace lanediff::diff {
namespace {

TEST(PaceKeeper, CountsWhatItComparesAndEveryTimeOnce) {
  PaceKeeper keeper(**FindTarget("emulator"), **FindTarget("oracle"));
  Random random(7);
  std::uint64_t legal = 0;
  constexpr std::uint64_t kCases = 200;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    legal += !keeper.Compare(Generate("program", random).c).rejected;
  }
  const Pace& pace = keeper.pace();
  EXPECT_EQ(pace.legal.cases, legal);
  EXPECT_EQ(pace.illegal.cases, kCases - legal);
  for (const PacePart& part : {pace.legal, pace.illegal}) {
    EXPECT_GT(part.cases, 0);
    EXPECT_GT(part.target_seconds, 0);
    EXPECT_GT(part.reference_seconds, 0);
    EXPECT_GE(part.seconds, part.target_seconds + part.reference_seconds);
  }
}

TEST(PaceKeeper, AddsWhatWasBefore) {
  PaceKeeper keeper(**FindTarget("emulator"), **FindTarget("oracle"));
  Random random(7);
  const Case c = Generate("min", random).c;
  keeper.Compare(c, {}, PaceKeeper::Clock::now() - std::chrono::seconds(5));
  Pace pace = keeper.pace();
  EXPECT_GT(pace.legal.seconds + pace.illegal.seconds, 5);
  pace += keeper.pace();
  EXPECT_EQ(pace.legal.cases + pace.illegal.cases, 2);
}

}  // namespace
}  // namespace lanediff::diff

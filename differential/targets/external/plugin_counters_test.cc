// What this process counts of a plugin. It keeps what was registered, so each
// test begins where the last one's counters end.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "differential/targets/external/target_coverage.h"

namespace lanediff::diff {
namespace {

class PluginCounters : public testing::Test {
 protected:
  void SetUp() override {
    all_ = std::make_unique<TargetCoverage>();
    TakePluginCounters(*all_);
    first_ = all_->counters;
  }

  /// The place of counter `i` of what this test registers.
  std::uint8_t& At(std::size_t i) {
    return all_->counts[(first_ + i) % kMostTargetCounters];
  }

  std::unique_ptr<TargetCoverage> all_;
  std::size_t first_ = 0;
};

TEST_F(PluginCounters, AreThoseFromWhenTheyAreExpectedOn) {
  static std::array<std::uint8_t, 7> ours;
  static std::array<std::uint8_t, 10> plugins;
  if (first_ == 0) {  // else another test has made it expect them
    AddPluginCounters(ours.begin(), ours.end());
    TakePluginCounters(*all_);
    EXPECT_EQ(all_->counters, 0);
  }
  ExpectPluginCounters();
  AddPluginCounters(plugins.begin(), plugins.end());
  AddPluginCounters(plugins.begin(), plugins.end());
  AddPluginCounters(plugins.end(), plugins.begin());
  TakePluginCounters(*all_);
  EXPECT_EQ(all_->counters, first_ + plugins.size());
}

TEST_F(PluginCounters, TheMostOfOneCallStaysAndEachCallBeginsAnew) {
  static std::array<std::uint8_t, 13> counters;
  ExpectPluginCounters();
  AddPluginCounters(counters.begin(), counters.end());
  for (const std::uint8_t count : std::array<std::uint8_t, 3>{2, 9, 4}) {
    counters.back() = count;  // behind the last whole word
    TakePluginCounters(*all_);
    EXPECT_EQ(counters.back(), 0);
  }
  EXPECT_EQ(At(12), 9);
  EXPECT_EQ(At(11), 0);
}

TEST_F(PluginCounters, WhileTheyArePausedNothingIsAddedAndNothingStays) {
  static std::array<std::uint8_t, 4> counters;
  ExpectPluginCounters();
  AddPluginCounters(counters.begin(), counters.end());
  all_->paused = 1;
  counters[1] = 5;
  TakePluginCounters(*all_);
  all_->paused = 0;
  TakePluginCounters(*all_);
  EXPECT_EQ(At(1), 0);
}

TEST_F(PluginCounters, ThoseBeyondTheTableAreFolded) {
  static std::vector<std::uint8_t> counters(kMostTargetCounters + 3);
  ExpectPluginCounters();
  AddPluginCounters(counters.data(), counters.data() + counters.size());
  counters[2] = 3;
  counters[kMostTargetCounters + 2] = 8;
  counters[kMostTargetCounters + 1] = 1;
  TakePluginCounters(*all_);
  EXPECT_EQ(all_->counters, first_ + counters.size());
  EXPECT_EQ(At(2), 8);
  EXPECT_EQ(At(1), 1);
  EXPECT_EQ(all_->used(), kMostTargetCounters);
}

TEST_F(PluginCounters, AGuardHasOneNumberAndCountsTo255) {
  static std::array<std::uint32_t, 5> guards;
  ExpectPluginCounters();
  AddPluginGuards(guards.begin(), guards.end());
  const auto numbers = guards;
  AddPluginGuards(guards.begin(), guards.end());
  EXPECT_EQ(guards, numbers);
  for (std::size_t i = 0; i < guards.size(); ++i) {
    EXPECT_EQ(guards[i], guards[0] + i);
    EXPECT_NE(guards[i], 0);
  }
  for (int i = 0; i < 300; ++i) CountPluginGuard(guards[2]);
  CountPluginGuard(guards[4]);
  CountPluginGuard(0);
  CountPluginGuard(~std::uint32_t{0});
  TakePluginCounters(*all_);
  EXPECT_EQ(all_->counters, first_ + guards.size());
  EXPECT_EQ(At(2), 255);
  EXPECT_EQ(At(4), 1);
  EXPECT_EQ(At(0) + At(1) + At(3), 0);
}

TEST_F(PluginCounters, NumbersThatAreComparedWithAreNoted) {
  const auto noted = [&](std::int64_t value) {
    return std::ranges::any_of(
        all_->constants, [&](const auto& one) { return one.load() == value; });
  };
  WatchPluginConstants(*all_);
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{57005}}) {
    NotePluginConstant(value);
    EXPECT_TRUE(noted(value)) << value;
  }
  EXPECT_TRUE(noted(-1)) << "places of their own";
  static TargetCoverage other;
  WatchPluginConstants(other);
  NotePluginConstant(4711);
  EXPECT_FALSE(noted(4711));
}

}  // namespace
}  // namespace lanediff::diff

#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using RunsTest = CampaignTest;

/// What merging two shards of `sweep!` leaves.
const std::string kMerged = "sweep! cases=200 times=2 parts=2";

TEST_F(RunsTest, ShardsAreOneRunWhenAllAreThere) {
  Add(1, "sweep!");
  AddShard(2, "sweep", 1, 3);
  AddShard(2, "sweep", 0, 3);
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[1].unfinished, "2 of 3 shards; missing: 2/3");
  // An interrupted one does not make it whole; one that was run again does.
  AddShard(2, "sweep", 2, 3, false);
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[1].unfinished, "2 of 3 shards; not whole: 2/3");
  AddShard(2, "sweep", 2, 3);
  EXPECT_EQ(Summary(), "fixed: 1-1-2");
  EXPECT_EQ(History().runs[1].cases, 300u);
}

TEST_F(RunsTest, OfInterruptedTriesTheFarthestCountsUntilOneIsWhole) {
  const std::string less = "sweep! times=5", more = "sweep! cases=150 times=8";
  for (const bool first : {true, false}) {
    AddShard(1, first ? less : more, 0, 2, false);
    AddShard(1, first ? more : less, 0, 2, false);
    EXPECT_EQ(History().runs.at(0).cases, 150u);
    EXPECT_EQ(History().findings.at(0).times, 8u);
    AddShard(1, "sweep!", 0, 2);
    EXPECT_EQ(History().findings.at(0).times, 1u);
    fs::remove(DatabasePath());
  }
}

/// A shard of exhaust that covers `spaces` and began `begun`.
std::string ExhaustShard(const std::string& day, const std::string& spaces,
                         const std::vector<std::string>& begun, int i,
                         bool complete = true, bool sees = false) {
  Json states = Json::array();
  for (const std::string& space : begun) {
    Json state = Json::parse(
        R"({"format":"lanediff-exhaust-state/1","version":"1","part":{)"
        R"("from":0,"to":8,"count":2},"target":"model","next":4,"points":4,)"
        R"("unsupported":0,"disagree":0,"milliseconds":1,"findings":[]})");
    state["space"] = space;
    state["part"]["index"] = i;
    if (sees) {
      state["findings"].push_back({{"call", 1},
                                   {"signature", kSignature},
                                   {"message", "it differs"},
                                   {"path", "p.json"}});
    }
    states.push_back(state);
  }
  return ShardText(
      {{"states", states}}, "exhaust", day, i, 2, complete,
      {{"target", "model"}, {"spaces", spaces}, {"range", "0..8"}});
}

constexpr const char* kA = "min-int16";
constexpr const char* kB = "max-int16";
const std::string kBoth = std::string(kB) + " " + kA;

TEST_F(RunsTest, ShardsOfOtherSpacesAreAnotherRun) {
  AddText(ExhaustShard(Day(1), kA, {kA}, 0, true, true), "");
  AddText(ExhaustShard(Day(1), kA, {kA}, 1, true, true), "");
  AddText(ExhaustShard(Day(2), kA, {kA}, 0), "");
  AddText(ExhaustShard(Day(2), kB, {kB}, 1), "");
  EXPECT_EQ(History().runs.size(), 3u);
  EXPECT_EQ(Summary(), "open: 1-1-");
  AddText(ExhaustShard(Day(2), kA, {kA}, 1), "");
  EXPECT_EQ(Summary(), "fixed: 1-1-2");
}

TEST_F(RunsTest, WhatAnInterruptedShardBeganIsNotAllOfTheRun) {
  for (const bool first : {true, false}) {
    for (int i = 0; i < 2; ++i) {
      AddText(ExhaustShard(Day(1), kBoth, {kB, kA}, i, true, true), "");
    }
    const auto interrupted = ExhaustShard(Day(2), kBoth, {kB}, 0, false);
    if (first) AddText(interrupted, "");
    for (int i = 0; i < 2; ++i) {
      AddText(ExhaustShard(Day(2), kBoth, {kB, kA}, i), "");
    }
    if (!first) AddText(interrupted, "");
    EXPECT_EQ(Summary(), "fixed: 1-1-2") << first;
    fs::remove(DatabasePath());
  }
}

TEST_F(RunsTest, AShardWithOtherResultsIsRefusedByName) {
  AddShard(2, "sweep", 1, 3);
  const auto again = AddShard(2, "sweep", 1, 3);
  EXPECT_TRUE(again.problems.empty());
  EXPECT_TRUE(again.lines.at(0).contains("is there already"));
  const auto other = AddShard(2, "sweep!", 1, 3);
  ASSERT_EQ(other.problems.size(), 1u);
  EXPECT_TRUE(other.problems[0].contains(
      "shard 1/3 of " + Day(2) + " is there already with other results"));
  EXPECT_TRUE(History().findings.empty());
}

TEST_F(RunsTest, ShardsAroundMidnightAreOneRun) {
  Add(1, "sweep!");
  AddShard(2, "sweep", 0, 2);
  AddShard(3, "sweep", 1, 2);
  EXPECT_EQ(History().runs.size(), 2u);
  EXPECT_TRUE(History().runs[1].doubted);
  // They may be halves of two runs.
  EXPECT_EQ(Summary(), "open: 1-1-");
  // Every second day of a row begins a run.
  AddShard(4, "sweep", 0, 2);
  EXPECT_EQ(History().runs.size(), 3u);
  AddShard(5, "sweep", 1, 2);
  EXPECT_EQ(History().runs.size(), 3u);
}

TEST_F(RunsTest, WholeDaysBesideHalvesMayBeHalvesOfTwoRuns) {
  AddShard(1, "sweep!", 0, 2);
  AddShards(2, "sweep");
  AddShard(3, "sweep!", 1, 2);
  EXPECT_EQ(History().runs.size(), 3u);
  EXPECT_EQ(Summary(), "open: 1-3-");
  AddShards(5, "sweep");
  EXPECT_EQ(Summary(), "fixed: 1-3-5");
}

/// A run, and how many runs there are when it was added to shards of day 2.
struct Beside {
  std::string date;
  std::string words;
  std::size_t runs;
  std::string commit = {};
};

TEST_F(RunsTest, AMergedReportBesideItsShardsCountsOnce) {
  for (const auto& [date, words, runs, commit] :
       std::vector<Beside>{{Day(2), kMerged, 1},
                           {Day(1) + "T22:00:00Z", kMerged, 1},
                           {Day(1) + "T01:00:00Z", kMerged, 2},
                           {"2024-09-30T22:00:00Z", kMerged, 2},
                           {Day(3), kMerged, 2},
                           {Day(2), kMerged, 1, "abc"},  // that of the shards
                           {Day(2), kMerged, 2, "def"},
                           {Day(2), "sweep cases=200 times=2 parts=2", 2},
                           {Day(2), kMerged + " times=3", 2},
                           {Day(2), kMerged + " instruction=max", 2},
                           {Day(2), kMerged + " sample=3", 2}}) {
    AddShards(2, "sweep!");
    AddText(RunJson(words).dump(), date, "campaign.db", commit);
    EXPECT_EQ(History().runs.size(), runs) << date << words << commit;
    EXPECT_EQ(runs > 1 || History().findings.at(0).times == 2, true) << date;
    fs::remove(DatabasePath());
  }
}

TEST_F(RunsTest, AMergedReportStandsForOneRun) {
  for (const int day : {1, 2}) AddShards(day, "sweep!");
  AddText(RunJson(kMerged).dump(), Day(1) + "T22:00:00Z");
  ASSERT_EQ(History().runs.size(), 2u);
  EXPECT_EQ(History().findings.at(0).times, 4u);
  // Also over midnight.
  AddText(RunJson(kMerged).dump(), Day(2) + "T23:00:00Z");
  AddShards(3, "sweep!");
  EXPECT_EQ(History().runs.size(), 3u);
  EXPECT_EQ(Summary(), "open: 1-3-");
}

TEST_F(RunsTest, WhatOneShardKnowsIsAccepted) {
  const std::string known = "check! id=a known=soon";
  const std::string mixed =
      fmt::format("check id=b sees={},{}", kSignature, kOther);
  for (const bool first : {true, false}) {
    AddShard(1, known, first ? 0 : 1, 2);
    AddShard(1, mixed, first ? 1 : 0, 2);
    EXPECT_EQ(Summary(), "accepted: 1-1-");
    EXPECT_EQ(History().findings.back().accepted, "soon");
    EXPECT_EQ(Summary(kOther), "open: 1-1-");
    fs::remove(DatabasePath());
  }
}

}  // namespace
}  // namespace lanediff::campaign::test

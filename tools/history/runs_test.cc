#include "tools/history/runs.h"

#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using RunsTest = CampaignTest;

/// What merging two shards of `kSees` leaves.
Document Merged() {
  return {.signatures = {kSignature}, .cases = 200, .times = 2, .parts = 2};
}

TEST_F(RunsTest, ShardsAreOneRunWhenAllAreThere) {
  Add(1, kSees);
  AddShard(2, kSilent, 1, 3);
  AddShard(2, kSilent, 0, 3);
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[1].unfinished, "2 of 3 shards; missing: 2/3");
  // An interrupted one does not make it whole; one that was run again does.
  AddShard(2, kSilent, 2, 3, false);
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[1].unfinished, "2 of 3 shards; not whole: 2/3");
  AddShard(2, kSilent, 2, 3);
  EXPECT_EQ(Summary(), "fixed: 1-1-2");
  EXPECT_EQ(History().runs[1].cases, 300u);
}

TEST_F(RunsTest, AnInterruptedShardCountsUntilItsLikeIsWhole) {
  Document sees = kSees;
  sees.times = 5;
  AddShard(1, sees, 0, 1, false);
  EXPECT_EQ(History().findings.at(0).times, 5u);
  AddShard(1, kSees, 0, 1);
  EXPECT_EQ(History().findings.at(0).times, 1u);
}

TEST_F(RunsTest, OfInterruptedTriesTheFarthestCounts) {
  Document less = kSees, more = kSees;
  less.cases = 100;
  less.times = 5;
  more.cases = 150;
  more.times = 8;
  for (const auto& [first, second] : {std::pair(less, more), {more, less}}) {
    AddShard(1, first, 0, 2, false);
    AddShard(1, second, 0, 2, false);
    EXPECT_EQ(History().runs.at(0).cases, 150u);
    EXPECT_EQ(History().findings.at(0).times, 8u);
    fs::remove(DatabasePath());
  }
}

/// A shard of exhaust that covers `spaces` and began `begun`.
std::string ExhaustShard(const std::string& day, const std::string& spaces,
                         const std::vector<std::string>& begun, int i,
                         bool complete, bool sees = false) {
  std::string states;
  for (const std::string& space : begun) {
    states += (states.empty() ? "" : ",") +
              (R"({"format":"lanediff-exhaust-state/1","space":")" + space) +
              R"(","version":"1","part":{"from":0,"to":8,"index":)" +
              std::to_string(i) + R"(,"count":2},"target":"model","next":4,)" +
              R"("points":4,"unsupported":0,"disagree":0,"milliseconds":1,)" +
              R"("findings":[)" +
              (sees ? R"({"call":1,"signature":")" + std::string(kSignature) +
                          R"(","message":"it differs","path":"p.json"})"
                    : "") +
              "]}";
  }
  return ShardOf("exhaust", "\"states\":[" + states + "]", day, i, 2, complete,
                 R"(,"spaces":")" + spaces + R"(","range":"0..8")");
}

constexpr const char* kA = "min-int16";
constexpr const char* kB = "max-int16";
const std::string kBoth = std::string(kB) + " " + kA;

TEST_F(RunsTest, ShardsOfOtherSpacesAreAnotherRun) {
  AddText(ExhaustShard(Day(1), kA, {kA}, 0, true, true), "");
  AddText(ExhaustShard(Day(1), kA, {kA}, 1, true, true), "");
  AddText(ExhaustShard(Day(2), kA, {kA}, 0, true), "");
  AddText(ExhaustShard(Day(2), kB, {kB}, 1, true), "");
  EXPECT_EQ(History().runs.size(), 3u);
  EXPECT_EQ(Summary(), "open: 1-1-");
  AddText(ExhaustShard(Day(2), kA, {kA}, 1, true), "");
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
      AddText(ExhaustShard(Day(2), kBoth, {kB, kA}, i, true), "");
    }
    if (!first) AddText(interrupted, "");
    EXPECT_EQ(Summary(), "fixed: 1-1-2") << first;
    fs::remove(DatabasePath());
  }
}

TEST_F(RunsTest, AShardWithOtherResultsIsRefusedByName) {
  AddShard(2, kSilent, 1, 3);
  const auto again = AddShard(2, kSilent, 1, 3);
  EXPECT_TRUE(again.problems.empty());
  EXPECT_NE(again.lines.at(0).find("is there already"), std::string::npos);
  const auto other = AddShard(2, kSees, 1, 3);
  ASSERT_EQ(other.problems.size(), 1u);
  EXPECT_NE(other.problems[0].find("shard 1/3 of " + Day(2) +
                                   " is there already with other results"),
            std::string::npos);
  EXPECT_TRUE(History().findings.empty());
}

TEST_F(RunsTest, ShardsAroundMidnightAreOneRun) {
  Add(1, kSees);
  AddShard(2, kSilent, 0, 2);
  AddShard(3, kSilent, 1, 2);
  EXPECT_EQ(History().runs.size(), 2u);
  // They may be halves of two runs.
  EXPECT_EQ(Summary(), "open: 1-1-");
}

TEST_F(RunsTest, WholeDaysBesideHalvesMayBeHalvesOfTwoRuns) {
  AddShard(1, kSees, 0, 2);
  AddShards(2, kSilent);
  AddShard(3, kSees, 1, 2);
  EXPECT_EQ(History().runs.size(), 3u);
  EXPECT_EQ(Summary(), "open: 1-3-");
  AddShards(5, kSilent);
  EXPECT_EQ(Summary(), "fixed: 1-3-5");
}

TEST_F(RunsTest, AMergedReportBesideItsShardsCountsOnce) {
  AddShards(1, kSees);
  Add(1, Merged());
  ASSERT_EQ(History().runs.size(), 1u);
  EXPECT_EQ(History().findings.at(0).times, 2u);
}

TEST_F(RunsTest, ARunWithTheSumsOfShardsIsAnotherOne) {
  Document gone = Merged(), more = Merged(), other = Merged(), part = Merged();
  gone.signatures.clear();
  more.times = 3;
  other.instruction = "max";
  part.sample = R"({"perRule":3,"cases":5,"of":9})";
  for (const Document& document : {gone, more, other, part}) {
    AddShards(1, kSees);
    Add(1, document);
    EXPECT_EQ(History().runs.size(), 2u) << document.Text();
    EXPECT_EQ(Summary(), "open: 1-1-");
    fs::remove(DatabasePath());
  }
}

TEST_F(RunsTest, ARunOfAnotherCommitIsAnotherOne) {
  AddShards(1, kSees);
  AddText(Merged().Text(), Day(1), "campaign.db", "def");
  EXPECT_EQ(History().runs.size(), 2u);
  // That of the shards.
  AddText(Merged().Text(), Day(1) + "T02:00:00Z", "campaign.db", "abc");
  EXPECT_EQ(History().runs.size(), 2u);
}

TEST_F(RunsTest, AMergedReportOfTheEveningBeforeCountsOnce) {
  AddShards(2, kSees);
  AddText(Merged().Text(), Day(1) + "T22:00:00Z");
  ASSERT_EQ(History().runs.size(), 1u);
  EXPECT_EQ(History().findings.at(0).times, 2u);
  // A day earlier or later is another run.
  AddText(Merged().Text(), Day(0) + "T22:00:00Z");
  AddText(Merged().Text(), Day(3));
  EXPECT_EQ(History().runs.size(), 3u);
}

TEST_F(RunsTest, AMergedReportStandsForOneRun) {
  for (const int day : {1, 2}) AddShards(day, kSees);
  AddText(Merged().Text(), Day(1) + "T22:00:00Z");
  ASSERT_EQ(History().runs.size(), 2u);
  EXPECT_EQ(History().findings.at(0).times, 4u);
  EXPECT_EQ(Summary(), "open: 1-2-");
}

TEST_F(RunsTest, RunsOverMidnightCountOnceEach) {
  for (const int day : {1, 2}) {
    AddShards(day + 1, kSees);
    AddText(Merged().Text(), Day(day) + "T23:00:00Z");
  }
  ASSERT_EQ(History().runs.size(), 2u);
  EXPECT_EQ(History().findings.at(0).times, 4u);
  EXPECT_EQ(Summary(), "open: 1-2-");
}

TEST_F(RunsTest, AMergedReportOfTheMorningIsNotOfTheNextDay) {
  AddText(Merged().Text(), Day(1) + "T01:00:00Z");
  AddShards(2, kSees);
  EXPECT_EQ(History().runs.size(), 2u);
  EXPECT_EQ(Summary(), "open: 1-2-");
}

TEST_F(RunsTest, WhatOneShardKnowsIsAccepted) {
  const Document known = {.verb = "check",
                          .signatures = {kSignature},
                          .case_name = "a",
                          .known = "for a time"};
  const Document mixed = {.verb = "check",
                          .signatures = {kSignature, "memory/min/value/half"},
                          .case_name = "b"};
  for (const bool first : {true, false}) {
    AddShard(1, known, first ? 0 : 1, 2);
    AddShard(1, mixed, first ? 1 : 0, 2);
    EXPECT_EQ(Summary(), "accepted: 1-1-");
    EXPECT_EQ(History().findings.back().accepted, "for a time");
    EXPECT_EQ(Summary("memory/min/value/half"), "open: 1-1-");
    fs::remove(DatabasePath());
  }
}

}  // namespace
}  // namespace lanediff::campaign::test

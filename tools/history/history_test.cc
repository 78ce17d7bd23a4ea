#include "tools/history/history.h"

#include <atomic>
#include <random>
#include <thread>

#include "tools/history/document.h"
#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using HistoryTest = CampaignTest;

/// A finding over several days: steps DAY WORDS, with the `Summary` after some
/// of them.
struct Story {
  const char* name;
  const char* steps;
  std::string signature = kSignature;
};

void PrintTo(const Story& story, std::ostream* out) { *out << story.name; }

class Stories : public CampaignTest,
                public testing::WithParamInterface<Story> {};

TEST_P(Stories, HaveTheseStates) {
  for (const std::string& step : Split(GetParam().steps, ';')) {
    const auto at = step.find(" -> ");
    std::size_t words = 0;
    const int day = std::stoi(step, &words);
    Add(day, step.substr(words + 1, at == step.npos ? at : at - words - 1));
    if (at == step.npos) continue;
    EXPECT_EQ(Summary(GetParam().signature), step.substr(at + 4)) << step;
  }
}

const std::vector<Story> kStories = {
    {"OpenFixedCameBack",
     "1 sweep; 2 sweep! -> open: 2-2-; 4 sweep!; 5 sweep -> fixed: 2-4-5;"
     "7 sweep! -> came back: 2-4-5 7-7-; 8 sweep -> fixed: 2-4-5 7-7-8"},
    {"SilenceOfARunThatDidNotLookProvesNothing",
     "1 sweep!; 2 sweep instruction=max; 3 sweep unfinished=interrupted;"
     "4 fuzz; 5 check id=other; 6 sweep sample=3;"
     "7 sweep sees=crash/min/target/half; 7 sweep unsupported=1;"
     "7 sweep beyond=1; 7 sweep legal=1; 7 sweep unsupported=100;"
     "7 sweep reference=mutant:min-x -> open: 1-1-; 8 sweep -> fixed: 1-1-8"},
    {"OfSeveralRunsOfADateOneThatSeesIsEnough",
     "1 sweep!; 1 fuzz!; 2 sweep; 2 fuzz! -> open: 1-2-"},
    {"AVerbThatAnotherContradictedProvesNothingUntilItSeesItAgain",
     "1 sweep!; 1 fuzz!; 2 sweep; 3 sweep; 4 sweep; 2 fuzz!; 3 fuzz;"
     "4 fuzz! -> open: 1-4-; 5 sweep!; 6 sweep -> fixed: 1-5-6"},
    {"ACheckThatFuzzingContradictedProvesNothingUntilItSeesItThere",
     "1 fuzz! id=a; 1 check id=a; 2 check id=a -> open: 1-1-;"
     "3 check! id=a; 4 check id=a -> fixed: 1-3-4"},
    {"OnlyACompleteCheckOfTheSameReferenceRaisesDoubt",
     "1 fuzz! id=a; 1 check reference=mutant:min-x id=a;"
     "1 check unfinished=interrupted id=a;"
     "2 check id=a -> fixed: 1-1-2"},
    {"ACheckIsDoubtedForTheVeryCaseAlone",
     "3 fuzz! id=a; 3 check id=a; 4 check! id=b;"
     "5 check id=a -> open: 3-4-; 6 check id=b -> fixed: 3-4-6"},
    {"ARunOfAnotherEditionProvesNothing",
     "1 sweep! edition=2024 id=a; 2 sweep;"
     "3 check id=a -> open: 1-1-;"
     "4 sweep edition=2024 -> fixed: 1-1-4"},
    {"WhatWasGoneWhileAnotherSawItProvesNothing",
     "1 sweep! id=a; 2 sweep; 2 fuzz! id=b;"
     "3 check id=a -> open: 1-2-; 4 check id=b -> fixed: 1-2-4"},
    {"OfTwoRunsOfAVerbOnADateTheFirstCaseMayBeChecked",
     "1 sweep! id=a; 1 sweep! id=b cases=101;"
     "2 check id=a -> fixed: 1-1-2"},
    {"OfTwoRunsOfAVerbOnADateTheSecondCaseMayBeChecked",
     "1 sweep! id=a; 1 sweep! id=b cases=101;"
     "2 check id=b -> fixed: 1-1-2"},
    {"WhatOneSawInAllCasesNoSampleProvesGone",
     "1 sweep!; 1 sweep! sample=3; 2 sweep sample=3 -> open: 1-1-;"
     "3 sweep -> fixed: 1-1-3"},
    {"ASilenceIsOfItsOwnReference",
     "1 sweep!; 2 sweep! reference=mutant:min-x; 3 sweep -> fixed: 1-2-3"},
    {"ACheckOfAnOlderCaseRaisesNoDoubtAboutTheNewCase",
     "1 fuzz! id=a; 2 fuzz! id=b; 2 check id=a -> open: 1-2-;"
     "3 check id=b -> fixed: 1-2-3"},
    {"AFuzzProgramThatEndedEarlySetsTheRequiredCases",
     "1 fuzz! cases=100000 error=memory; 2 fuzz cases=49999;"
     "3 fuzz cases=49999; 4 fuzz cases=49999 -> open: 1-1-;"
     "5 fuzz cases=50000; 6 fuzz cases=50000;"
     "7 fuzz cases=50000 error=memory -> open: 1-1-;"
     "8 fuzz cases=50000 -> fixed: 1-1-5"},
    {"FuzzingProvesAFixAfterThreeComparableDays",
     "1 fuzz!; 2 fuzz; 3 fuzz; 4 fuzz cases=49 -> open: 1-1-;"
     "5 fuzz! -> open: 1-5-; 6 fuzz; 7 fuzz; 8 fuzz -> fixed: 1-5-6"},
    {"ACheckOfTheCaseDecidesAtOnce",
     "1 fuzz! id=a; 2 check id=a -> fixed: 1-1-2"},
    {"AKnownIssueIsAccepted",
     "1 check! known=soon -> accepted: 1-1-; 2 check! -> open: 1-2-"},
    {"AFindingOfNoInstructionNeedsTheSameInstructions",
     "1 fuzz sees=memory/set_mask/value/half; 2 fuzz instruction=max;"
     "3 fuzz instruction=max; 4 fuzz instruction=max -> open: 1-1-;"
     "5 fuzz; 6 fuzz; 7 fuzz -> fixed: 1-1-5",
     "memory/set_mask/value/half"},
    {"OfNoInstructionAProgramThatEndedEarlyCountsToo",
     "1 fuzz sees=memory/set_mask/value/half error=memory;"
     "2 fuzz instruction=max; 3 fuzz instruction=max;"
     "4 fuzz instruction=max -> open: 1-1-; 5 fuzz; 6 fuzz;"
     "7 fuzz -> fixed: 1-1-5",
     "memory/set_mask/value/half"},
    {"AnotherFailureMayHideAFailure",
     "1 sweep sees=timeout/min/target/half;"
     "2 sweep sees=crash/min/target/half -> open: 1-1-;"
     "3 sweep -> fixed: 1-1-3",
     "timeout/min/target/half"},
    {"AFailureMayHideWhatIsOfNoInstruction",
     "1 sweep sees=memory/set_mask/value/half;"
     "2 sweep sees=crash/min/target/half -> open: 1-1-;"
     "3 sweep -> fixed: 1-1-3",
     "memory/set_mask/value/half"},
    {"ACheckLooksForNoFindingOfLint",
     "1 fuzz sees=lint-differs/min/SYNC-RAW/half id=a;"
     "2 check id=a -> open: 1-1-;"
     "3 fuzz; 4 fuzz; 5 fuzz -> fixed: 1-1-3",
     "lint-differs/min/SYNC-RAW/half"},
};

INSTANTIATE_TEST_SUITE_P(All, Stories, testing::ValuesIn(kStories),
                         [](const auto& one) {
                           return std::string(one.param.name);
                         });

TEST_F(HistoryTest, NamesTheLastRunWithoutTheFinding) {
  int day = 0;
  for (const char* words : {"sweep", "sweep!", "sweep", "sweep!", "sweep"}) {
    ++day;
    AddText(RunJson(words).dump(), Day(day), "campaign.db",
            "c" + std::to_string(day));
  }
  const auto history = History();
  const auto& periods = history.findings.at(0).periods;
  EXPECT_EQ(periods.at(0).before->date, Day(1));
  EXPECT_EQ(periods.at(1).before->commit, "c3");
  EXPECT_EQ(periods[0].fixed_by, "sweep");
  EXPECT_EQ(history.Sentence().substr(0, 9), "1 fixed; ");
}

TEST_F(HistoryTest, RunsOfADayCountOnce) {
  Add(1, "fuzz!");
  for (const char* time : {"T01:00:00Z", "T02:00:00Z", "T03:00:00Z"}) {
    AddText(RunJson("fuzz").dump(), Day(2) + time);
  }
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().findings[0].silent, 1u);
}

TEST_F(HistoryTest, MissingDaysFollowTheMostFrequentDistance) {
  const auto missing = [&](const std::vector<int>& days) {
    fs::remove(DatabasePath());
    for (const int day : days) Add(day, "sweep");
    return History().missing;
  };
  EXPECT_EQ(missing({1, 2, 3, 6}), (Strings{Day(4), Day(5)}));
  EXPECT_EQ(missing({1, 8, 15, 22}), Strings());
  EXPECT_EQ(missing({1, 8, 15, 29}), Strings{Day(22)});
  // Three days show no distance.
  EXPECT_EQ(missing({1, 2, 4}), Strings());
}

TEST_F(HistoryTest, DaysCountWhatWasKnownThen) {
  Add(1, "check! known=soon");
  EXPECT_EQ(History().findings[0].accepted, "soon");
  Add(2, "check!");
  Add(3, "fuzz");
  Add(6, "fuzz");
  const auto history = History();
  EXPECT_EQ(history.days[0].accepted, 1u);
  EXPECT_EQ(history.days[1].accepted, 0u);
  EXPECT_EQ(history.days[1].open[2], 1u);
  EXPECT_EQ(history.missing, (Strings{Day(4), Day(5)}));
}

TEST_F(HistoryTest, WhatIsShownDifferentlyIsAnotherRun) {
  for (const std::string& more :
       Strings{" message=wrong", " id=a", " path=o"}) {
    Strings reports;
    for (const bool first : {true, false}) {
      const std::string name = more + (first ? "1" : "2");
      for (const bool plain : {first, !first}) {
        AddText(RunJson("sweep!" + (plain ? "" : more)).dump(), Day(1), name);
      }
      reports.push_back(reports::CampaignJson(History(name)));
    }
    EXPECT_EQ(reports[0], reports[1]) << more;
  }
}

TEST_F(HistoryTest, AnyOrderAndTwiceGiveTheSameReport) {
  std::vector<std::pair<std::string, std::string>> all;
  std::mt19937 random(17);
  for (int day = 1; day <= 6; ++day) {
    const auto run = [&](const std::string& verb, int more = 0) {
      std::string sees = random() % 3 == 0 ? kSignature : "";
      if (random() % 3 == 0) sees += sees.empty() ? kOther : "";
      return RunJson(
          fmt::format("{} id={} seconds=0.{} bins=1{} holes=a,b sees={}", verb,
                      day, day + more, random() % 2, sees));
    };
    for (const char* verb : {"sweep", "fuzz", "fuzz"}) {
      all.emplace_back(run(verb).dump(), Day(day));
    }
    // Sums of these seconds depend on their order.
    for (int i = 0; i < 3; ++i)
      all.emplace_back(run("fuzz", i).dump(), Day(day));
  }
  std::string first;
  for (int turn = 0; turn < 4; ++turn) {
    const std::string name = std::to_string(turn) + ".db";
    for (const auto& [text, date] : all) AddText(text, date, name);
    const std::string page = reports::CampaignHtml(History(name)) +
                             reports::CampaignText(History(name));
    if (first.empty()) first = page;
    EXPECT_EQ(page, first);
    std::ranges::shuffle(all, random);
    all.push_back(all[random() % all.size()]);
  }
}

TEST_F(HistoryTest, FiguresAddUp) {
  Add(1, "fuzz cases=7 seconds=1 bins=10 holes=a,b");
  Add(2, "fuzz cases=7 seconds=1 bins=10 holes=b,c");
  // Bins begin again where their number changes, cases go on.
  Add(3, "fuzz cases=7 seconds=1 bins=12 holes=c");
  const auto coverage = History().coverage;
  ASSERT_EQ(coverage.size(), 3u);
  EXPECT_EQ(coverage[0].reached, 8u);
  EXPECT_EQ(coverage[1].reached, 9u);
  EXPECT_EQ(coverage[2].reached, 11u);
  EXPECT_EQ(coverage[2].cases, 21u);
  Add(3, "fuzz cases=7 seconds=0.1 bins=10 holes=a");
  EXPECT_EQ(History().coverage.size(), 3u);
  ASSERT_EQ(History().rates.size(), 3u);
  EXPECT_NEAR(History().rates[0].cases, 7, 1e-9);
  EXPECT_NEAR(History().rates[2].cases, 14 / 1.1, 1e-9);
}

TEST_F(HistoryTest, AReaderIsNotDisturbedByAWriter) {
  Add(1, "sweep!");
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 1; i < 100; ++i) {
      Add(1, "sweep! cases=" + std::to_string(100 + i));
    }
    done = true;
  });
  std::size_t reads = 0;
  for (; !done; ++reads) EXPECT_NO_THROW(History());
  writer.join();
  EXPECT_GT(reads, 0u);
  EXPECT_EQ(History().runs.size(), 100u);
}

TEST(Scopes, CoverWhatIsNotLarger) {
  const Scope all, sample{.sample = 3}, larger{.sample = 40},
      some{.only = {"a", "b"}}, one{.only = {"b"}}, older{.edition = "2024"},
      both{.edition = "2024, 2026"},
      legal{.legal_only = true, .edition = "2024", .only = {"a"}};
  EXPECT_TRUE(Covers(all, sample) && Covers(all, one) && Covers(some, one) &&
              Covers(sample, sample) && Covers(larger, sample) &&
              Covers(both, older) && Covers(both, all) && Covers(older, older));
  EXPECT_FALSE(Covers(sample, larger) || Covers(larger, all) ||
               Covers(sample, all) || Covers(one, some) || Covers(one, all) ||
               Covers(all, older) || Covers(older, all) || Covers(all, both));
  EXPECT_TRUE(Covers(older, legal));
  EXPECT_FALSE(Covers(legal, older));
}

}  // namespace
}  // namespace lanediff::campaign::test


#include <atomic>
#include <random>
#include <thread>

#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using HistoryTest = CampaignTest;

/// A run of fuzz that sees the finding in the case "a", another one in "b"; a
/// check of the first one alone, another of the second one.
const Document kFuzzA = {
    .verb = "fuzz", .signatures = {kSignature}, .case_name = "a"};
const Document kFuzzB = {
    .verb = "fuzz", .signatures = {kSignature}, .case_name = "b"};
const Document kCheckA = {.verb = "check", .case_name = "amemory-min-nan-half"};
const Document kCheckB = {.verb = "check", .case_name = "bmemory-min-nan-half"};
const Document kFuzzSees = {.verb = "fuzz", .signatures = {kSignature}};
const Document kFuzzSilent = {.verb = "fuzz", .case_name = "none"};
const std::string kSample = R"({"perRule":3,"cases":5,"of":9})";

TEST_F(HistoryTest, AFindingIsOpenFixedAndComesBack) {
  After({{1, kSilent}, {2, kSees}}, "open: 2-2-");
  After({{4, kSees}, {5, kSilent}}, "fixed: 2-4-5");
  After({{7, kSees}}, "came back: 2-4-5 7-7-");
  After({{8, kSilent}}, "fixed: 2-4-5 7-7-8");
  const auto history = History();
  EXPECT_EQ(history.findings[0].periods[0].before->date, Day(1));
  EXPECT_EQ(history.findings[0].periods[1].before->date, Day(5));
  EXPECT_EQ(history.Sentence().substr(0, 9), "1 fixed; ");
}

TEST_F(HistoryTest, SilenceOfARunThatDidNotLookProvesNothing) {
  After({{1, kSees},
         {2, {.instruction = "max"}},
         {3, {.unfinished = "interrupted"}},
         {4, {.verb = "fuzz"}},
         {5, {.verb = "check", .case_name = "other"}},
         {6, {.sample = kSample}},
         {7, {.signatures = {"crash/min/target/half"}}},
         {7, {.left_out = 1}},
         {7, {.beyond = 1}},
         {7, {.legal_only = true}},
         {7, {.cases = 100, .left_out = 100}},
         {7, {.reference = "mutant:min-nan-dropped"}}},
        "open: 1-1-");
  After({{8, kSilent}}, "fixed: 1-1-8");
}

TEST_F(HistoryTest, OfSeveralRunsOfADateOneThatSeesIsEnough) {
  After({{1, kSees}, {1, kFuzzSees}, {2, kSilent}, {2, kFuzzSees}},
        "open: 1-2-");
}

TEST_F(HistoryTest, AVerbThatAnotherContradictedProvesNothing) {
  Add(1, kSees);
  Add(1, kFuzzSees);
  for (const int day : {2, 3, 4}) Add(day, kSilent);
  After({{2, kFuzzSees},
         {3, {.verb = "fuzz", .case_name = "none"}},
         {4, kFuzzSees}},
        "open: 1-4-");
  // Until it sees it again.
  After({{5, kSees}, {6, kSilent}}, "fixed: 1-5-6");
}

TEST_F(HistoryTest, ACheckThatFuzzingContradictedProvesNothing) {
  const Document check = {.verb = "check", .case_name = "amemory-min-nan-half"};
  After({{1, kFuzzA}, {1, check}, {2, check}}, "open: 1-1-");
  // Until it sees it there.
  Document sees = check;
  sees.signatures = {kSignature};
  After({{3, sees}, {4, check}}, "fixed: 1-3-4");
}

TEST_F(HistoryTest, ACheckIsDoubtedForTheVeryCaseAlone) {
  const std::string a = "amemory-min-nan-half", b = "bmemory-min-nan-half";
  const Document fuzz = {
      .verb = "fuzz", .signatures = {kSignature}, .case_name = "a"};
  // Of another reference, or not whole.
  After({{1, fuzz},
         {1, {.verb = "check", .case_name = a, .reference = "mutant:min-x"}},
         {1, {.verb = "check", .unfinished = "interrupted", .case_name = a}},
         {2, {.verb = "check", .case_name = a}}},
        "fixed: 1-1-2");
  // A check that sees it in another one.
  After({{3, fuzz},
         {3, {.verb = "check", .case_name = a}},
         {4, {.verb = "check", .signatures = {kSignature}, .case_name = b}},
         {5, {.verb = "check", .case_name = a}}},
        "came back: 1-1-2 3-4-");
  After({{6, {.verb = "check", .case_name = b}}}, "fixed: 1-1-2 3-4-6");
}

TEST_F(HistoryTest, ARunOfAnotherEditionProvesNothing) {
  Document sees = kSees, silent = kSilent;
  sees.edition = silent.edition = "2024";
  After({{1, sees},
         {2, kSilent},
         {3, {.verb = "check", .case_name = "casememory-min-nan-half"}}},
        "open: 1-1-");
  After({{4, silent}}, "fixed: 1-1-4");
}

TEST_F(HistoryTest, WhatWasGoneWhileAnotherSawItProvesNothing) {
  After({{1, {.signatures = {kSignature}, .case_name = "a"}},
         {2, kSilent},
         {2, kFuzzB},
         {3, kCheckA}},
        "open: 1-2-");
  After({{4, kCheckB}}, "fixed: 1-2-4");
}

TEST_F(HistoryTest, OfTwoRunsOfAVerbOnADateEachCaseMayBeChecked) {
  const Document a = {.signatures = {kSignature}, .case_name = "a"};
  Document b = {.signatures = {kSignature}, .cases = 101, .case_name = "b"};
  for (const char* const one : {"a", "b"}) {
    for (const bool first : {true, false}) {
      const std::string name = std::string(one) + (first ? "1" : "2");
      AddText((first ? a : b).Text(), Day(1), name);
      AddText((first ? b : a).Text(), Day(1), name);
      AddText(Document{.verb = "check",
                       .case_name = std::string(one) + "memory-min-nan-half"}
                  .Text(),
              Day(2), name);
      EXPECT_EQ(History(name).findings[0].state, "fixed") << name;
    }
  }
  // What one of them saw in all cases no sample proves gone.
  After({{1, kSees},
         {1, {.signatures = {kSignature}, .sample = kSample}},
         {2, {.sample = kSample}}},
        "open: 1-1-");
  After({{3, kSilent}}, "fixed: 1-1-3");
}

TEST_F(HistoryTest, ASilenceIsOfItsOwnReference) {
  Document other = kSees;
  other.reference = "mutant:min-nan-dropped";
  After({{1, kSees}, {2, other}, {3, kSilent}}, "fixed: 1-2-3");
}

TEST_F(HistoryTest, WhatIsShownDifferentlyIsAnotherRun) {
  const auto both = [&](const std::string& one, const std::string& other,
                        const std::string& name) {
    AddText(one, Day(1), name);
    AddText(other, Day(1), name);
    return reports::CampaignJson(History(name));
  };
  const std::string a = kSees.Text();
  for (const auto& [word, now] : {std::pair("it differs", "it is wrong"),
                                  std::pair("casememory", "lacememory"),
                                  std::pair("check p.json", "check o.json")}) {
    std::string b = a;
    b.replace(b.find(word), std::string(word).size(), now);
    EXPECT_EQ(both(a, b, std::string(word, 2) + "ab"),
              both(b, a, std::string(word, 2) + "ba"))
        << word;
  }
}

TEST_F(HistoryTest, AnOlderCaseThatIsGoneIsNoReasonToDoubtANewOne) {
  After({{1, kFuzzA}, {2, kFuzzB}, {2, kCheckA}}, "open: 1-2-");
  After({{3, kCheckB}}, "fixed: 1-2-3");
}

TEST_F(HistoryTest, AFindingOfNoInstructionNeedsTheSameInstructions) {
  const char* const set_mask = "memory/set_mask/value/half";
  for (const char* const ended : {"", "out of memory"}) {
    Document sees = {.verb = "fuzz", .signatures = {set_mask}};
    sees.error = ended;
    Add(1, sees);
    Document silent = {.verb = "fuzz", .instruction = "max"};
    for (const int day : {2, 3, 4}) Add(day, silent);
    EXPECT_EQ(Summary(set_mask), "open: 1-1-");
    silent.instruction = "min";
    for (const int day : {5, 6, 7}) Add(day, silent);
    EXPECT_EQ(Summary(set_mask), "fixed: 1-1-5");
    fs::remove(DatabasePath());
  }
}

TEST_F(HistoryTest, AFuzzProgramThatEndedEarlySetsTheRequiredCases) {
  Document sees = {.verb = "fuzz", .signatures = {kSignature}};
  Document silent = {.verb = "fuzz", .case_name = "none"};
  sees.cases = 100'000;
  sees.error = "out of memory";
  Add(1, sees);
  silent.cases = 49'999;
  for (const int day : {2, 3, 4}) Add(day, silent);
  EXPECT_EQ(Summary(), "open: 1-1-");
  silent.cases = 50'000;
  for (const int day : {5, 6}) Add(day, silent);
  silent.error = "out of memory";
  After({{7, silent}}, "open: 1-1-");
  silent.error.clear();
  After({{8, silent}}, "fixed: 1-1-5");
}

TEST_F(HistoryTest, RunsOfADayCountOnce) {
  Add(1, kFuzzSees);
  for (const char* hour : {"T01", "T02", "T03"}) {
    AddText(Document{.verb = "fuzz", .case_name = "none"}.Text(),
            Day(2) + hour + ":00:00Z");
  }
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().findings[0].silent, 1u);
}

TEST_F(HistoryTest, FuzzingProvesAFixAfterThreeComparableDays) {
  const Document hardly = {.verb = "fuzz", .cases = 49};
  After({{1, kFuzzSees}, {2, kFuzzSilent}, {3, kFuzzSilent}, {4, hardly}},
        "open: 1-1-");
  EXPECT_EQ(History().findings[0].silent, 2u);
  After({{5, kFuzzSees}}, "open: 1-5-");
  for (const int day : {6, 7, 8}) Add(day, kFuzzSilent);
  EXPECT_EQ(Summary(), "fixed: 1-5-6");
}

TEST_F(HistoryTest, ACheckOfTheCaseDecidesAtOnce) {
  After({{1, kFuzzA}, {2, kCheckA}}, "fixed: 1-1-2");
}

TEST_F(HistoryTest, AKnownIssueIsAccepted) {
  After(
      {{1,
        {.verb = "check", .signatures = {kSignature}, .known = "for a time"}}},
      "accepted: 1-1-");
  EXPECT_EQ(History().findings[0].accepted, "for a time");
  After({{2, {.verb = "check", .signatures = {kSignature}}}}, "open: 1-2-");
  const auto days = History().days;
  EXPECT_EQ(days[0].accepted, 1u) << "as it was known then";
  EXPECT_EQ(days[1].accepted, 0u);
}

TEST_F(HistoryTest, AnyOrderAndTwiceGiveTheSameReport) {
  std::vector<std::pair<std::string, std::string>> all;
  std::mt19937 random(17);
  for (int day = 1; day <= 6; ++day) {
    const auto seen = [&](const char* verb) {
      Document document{.verb = verb, .case_name = std::to_string(day)};
      for (const char* one : {kSignature, "memory/min/value/float"}) {
        if (random() % 3 == 0) document.signatures.push_back(one);
      }
      return document;
    };
    all.emplace_back(seen("sweep").Text(), Day(day));
    all.emplace_back(seen("fuzz").Text(), Day(day));
    for (int i = 0; i < 2; ++i) {
      all.emplace_back(ShardText(seen("sweep"), Day(day), i, 2), "");
    }
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

TEST_F(HistoryTest, UnreadableDocumentsAreReported) {
  const auto problem = [&](const std::string& text, const std::string& date) {
    const auto result = AddText(text, date);
    return result.problems.empty() ? "" : result.problems[0];
  };
  const std::string good = kSees.Text();
  EXPECT_NE(problem(good, "").find("missing date"), std::string::npos);
  EXPECT_NE(problem(good, "2026-02-30").find("date: found"), std::string::npos);
  EXPECT_NE(problem(good.substr(0, good.size() / 2), Day(1)).find("not JSON"),
            std::string::npos);
  std::string newer = good;
  newer.replace(newer.find("run/1"), 5, "run/2");
  EXPECT_NE(problem(newer, Day(1)).find("found format \"lanediff-run/2\""),
            std::string::npos);
  std::string wrong = good;
  wrong.replace(wrong.find("\"steps\":1"), 9, "\"steps\":x");
  EXPECT_FALSE(problem(wrong, Day(1)).empty());
  EXPECT_NE(problem(Document{.cases = ~std::uint64_t{0}}.Text(), Day(1))
                .find("above 2^53"),
            std::string::npos);
  for (const char* nodes : {"\"x\"", "-1", "1.5", "null", "[]"}) {
    std::string text = good;
    text.replace(text.find("\"nodes\":3}"), 10,
                 std::string("\"nodes\":") + nodes + "}");
    EXPECT_NE(problem(text, Day(1)).find("/summary/nodes: found"),
              std::string::npos)
        << problem(text, Day(1));
  }
  EXPECT_NE(problem(Document{.signatures = {"x"}}.Text(), Day(1))
                .find("found the signature \"x\"; "),
            std::string::npos);
  EXPECT_TRUE(History().runs.empty());
}

/// An audit whose target shows a finding, or does not.
std::string Audit(const std::string& signature, const std::string& more = "",
                  int skipped = 0, int beyond = 0) {
  const std::string group =
      R"({"signature":")" + signature +
      R"(","instruction":"Min","class":"result","message":"it differs",)"
      R"("cases":3,"case":"a","path":"cases/a.json",)"
      R"("reproduce":"lanediff check cases/a.json"})";
  return R"({"format":"lanediff-audit/1","target":"model",)" + more +
         R"("reference":"oracle","groups":[)" +
         (signature.empty() ? "" : group) +
         R"(],"cases":5,"unsupported":0,"beyond":)" + std::to_string(beyond) +
         R"(,"skipped":)" + std::to_string(skipped) +
         R"(,"steps":5,"comparedBytes":5,"nodes":5,"complete":)" +
         (skipped == 0 ? "true" : "false") +
         R"(,"interrupted":false,"stopped":"",)"
         R"("rules":[{"id":"MIN-REPEAT","instruction":"Min","cells":[)"
         R"({"product":"atlas-a2","compared":5,"verdict":"enforced",)"
         R"("evidence":[]}]}]})";
}

TEST_F(HistoryTest, AnAuditAddsFindingsOfItsGroups) {
  AddText(Audit(kSignature), Day(1));
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().findings[0].times, 3);
  EXPECT_EQ(History().findings[0].case_name, "a");
  // Of legal calls alone, without all requested cases, of fewer claims.
  AddText(Audit("", R"("about":{"legalOnly":true},)"), Day(2));
  AddText(Audit("", "", 40), Day(3));
  AddText(Audit("", "", 0, 7), Day(4));
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[2].unfinished, "40 cases not run");
  AddText(Audit(""), Day(5));
  EXPECT_EQ(Summary(), "fixed: 1-1-5");
}

TEST_F(HistoryTest, AnotherFailureMayHideAFailure) {
  const char* const hang = "timeout/min/target/half";
  Add(1, {.signatures = {hang}});
  Add(2, {.signatures = {"crash/min/target/half"}});
  EXPECT_EQ(Summary(hang), "open: 1-1-");
  Add(3, kSilent);
  EXPECT_EQ(Summary(hang), "fixed: 1-1-3");
}

TEST_F(HistoryTest, AFailureMayHideWhatIsOfNoInstruction) {
  const char* const set_mask = "memory/set_mask/value/half";
  Add(1, {.signatures = {set_mask}});
  Add(2, {.signatures = {"crash/min/target/half"}});
  EXPECT_EQ(Summary(set_mask), "open: 1-1-");
  Add(3, kSilent);
  EXPECT_EQ(Summary(set_mask), "fixed: 1-1-3");
}

TEST_F(HistoryTest, ACheckLooksForNoFindingOfLint) {
  const char* const lint = "lint-differs/min/SYNC-RAW/half";
  const auto fuzz = [](std::vector<std::string> signatures) {
    return Document{
        .verb = "fuzz", .signatures = std::move(signatures), .case_name = "a"};
  };
  Add(1, fuzz({lint}));
  Add(2, {.verb = "check", .case_name = "alint-differs-min-SYNC-RAW-half"});
  EXPECT_EQ(Summary(lint), "open: 1-1-");
  for (const int day : {3, 4, 5}) Add(day, fuzz({}));
  EXPECT_EQ(Summary(lint), "fixed: 1-1-3");
}

TEST_F(HistoryTest, ImpossibleSumsAreRefused) {
  Document huge = {.cases = std::uint64_t{1} << 63};
  std::string text = huge.Text();
  const std::string sweeps = R"("sweeps":[)";
  const auto from = text.find(sweeps) + sweeps.size();
  const std::string sweep = text.substr(from, text.rfind("]}") - from);
  text.insert(from, sweep + ",");  // twice that is 0 in 64 bits
  const AddResult result = AddText(text, Day(1));
  ASSERT_EQ(result.problems.size(), 1);
  EXPECT_NE(result.problems[0].find("a count above 2^53"), std::string::npos)
      << result.problems[0];
}

TEST_F(HistoryTest, TablesThatDoNotFitTogetherAreDamage) {
  Add(1, kSees);
  {
    Database database(DatabasePath(), Database::For::kWriting);
    database.Execute("PRAGMA foreign_keys = OFF; DELETE FROM target");
  }
  EXPECT_THROW(History(), DatabaseError);
}

TEST_F(HistoryTest, AReaderIsNotDisturbedByAWriter) {
  Add(0, kSees);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int day = 1; day < 200; ++day) Add(day, kSees);
    done = true;
  });
  std::size_t reads = 0;
  for (; !done; ++reads) EXPECT_NO_THROW(History());
  writer.join();
  EXPECT_GT(reads, 0u);
  EXPECT_EQ(History().runs.size(), 200u);
}

TEST_F(HistoryTest, ReadersLeaveNothingBesideIt) {
  Add(1, kSees);
  History();
  EXPECT_FALSE(fs::exists(DatabasePath() + "-wal"));
  EXPECT_FALSE(fs::exists(DatabasePath() + "-shm"));
}

TEST_F(HistoryTest, ADatabaseOfOthersIsLeftAlone) {
  {
    Database made(DatabasePath(), Database::For::kWriting);
    made.Execute("PRAGMA user_version = 99");
  }
  EXPECT_THROW(History(), DatabaseError);
  std::ofstream(folder_ / "text.db") << std::string(4096, 'x');
  EXPECT_THROW(History("text.db"), DatabaseError);
  EXPECT_THROW(History("nowhere.db"), DatabaseError);
  EXPECT_FALSE(fs::exists(folder_ / "nowhere.db"));
}

TEST(Days, AreCountedAndMissed) {
  EXPECT_EQ(DayText(DayNumber("2028-02-28") + 1), "2028-02-29");
  EXPECT_EQ(NextDay("2026-12-31"), "2027-01-01");
  const auto missing = MissingDays({"2027-01-01", "2027-01-02", "2027-01-03",
                                    "2027-01-06", "2027-01-07T02:00:00Z"});
  EXPECT_EQ(missing, (std::vector<std::string>{"2027-01-04", "2027-01-05"}));
  // Once a week.
  EXPECT_TRUE(
      MissingDays({"2027-01-01", "2027-01-08", "2027-01-15", "2027-01-22"})
          .empty());
}

TEST(Dates, AreDaysOrMomentsInUtc) {
  EXPECT_EQ(NoDate("2027-01-01"), "");
  EXPECT_EQ(NoDate("2027-01-01T23:59:59Z"), "");
  for (const char* bad : {"", "2027-1-1", "2027-13-01", "2027-01-01T24:00:00Z",
                          "2027-01-01T23:59:60Z", "2027-01-01 02:00",
                          "2027-01-01T02:00:00+01:00"}) {
    EXPECT_NE(NoDate(bad), "") << bad;
  }
}

TEST(Signatures, HaveFourOrFiveWords) {
  for (const char* good : {"memory/min/value/half", "reads-outside/min/a/b/c",
                           "outcome/min/MIN-MASK-BITS/float/mask-words"}) {
    EXPECT_TRUE(IsSignature(good)) << good;
  }
  for (const char* bad :
       {"", "x", "memory/min/value", "memory/min/value/", "/a/b/c",
        "memory//value/half", "../../../etc/passwd", "a/b/c/d/e/f",
        "memory/min/value/half\n", "Memory/min/value/half"}) {
    EXPECT_FALSE(IsSignature(bad)) << bad;
  }
}

TEST(Scopes, CoverWhatIsNotLarger) {
  const Scope all, sample{.sample = "3 of each rule"}, some{.only = {"a", "b"}},
      one{.only = {"b"}};
  EXPECT_TRUE(Covers(all, sample) && Covers(all, one) && Covers(some, one) &&
              Covers(sample, sample));
  const Scope larger{.sample = "40 of each rule"};
  EXPECT_TRUE(Covers(larger, sample));
  EXPECT_FALSE(Covers(sample, larger) || Covers(larger, all));
  EXPECT_FALSE(Covers(sample, all) || Covers(one, some) || Covers(one, all));
  const Scope older{.edition = "2024"}, both{.edition = "2024, 2026"},
      older_legal{.legal_only = true, .edition = "2024", .only = {"a"}};
  EXPECT_TRUE(Covers(both, older) && Covers(both, all) && Covers(older, older));
  EXPECT_FALSE(Covers(all, older) || Covers(older, all) || Covers(all, both));
  for (const Scope& scope :
       {all, sample, some, one, older, both, older_legal}) {
    const Scope read = ScopeIn(ScopeText(scope));
    EXPECT_EQ(read, scope);
    EXPECT_EQ(read.sample, scope.sample);
    EXPECT_EQ(read.only, scope.only);
  }
}

}  // namespace
}  // namespace lanediff::campaign::test

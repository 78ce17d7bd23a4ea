#include "reports/nightly.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

namespace fs = std::filesystem;

class Nightly : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    out_ = fs::path(testing::TempDir()) /
           (std::string("lanediff-nightly-") + info->name() + "-" +
            std::to_string(getpid()));
    fs::create_directories(out_ / "audit");
    fs::create_directories(out_ / "findings");
  }
  void TearDown() override { fs::remove_all(out_); }

  void Put(const std::string& file, const std::string& text) const {
    std::ofstream(out_ / file, std::ios::binary) << text;
  }
  std::expected<NightlyRecord, std::string> Read() const {
    return ReadNightly(out_.string());
  }
  /// What is read of `out_` in which stages.txt holds `stages`.
  NightlyRecord Ran(const std::string& stages) const {
    Put("stages.txt", stages);
    const auto nightly = Read();
    EXPECT_TRUE(nightly) << nightly.error();
    return nightly.value_or(NightlyRecord());
  }
  static const NightlyStage& Stage(const NightlyRecord& nightly,
                                   const std::string& name) {
    const auto stage =
        std::ranges::find(nightly.stages, name, &NightlyStage::name);
    if (stage == nightly.stages.end()) throw std::out_of_range(name);
    return *stage;
  }
  /// The problem of a stage, its figures, and its files.
  static std::string Results(const NightlyRecord& nightly,
                             const std::string& name) {
    const NightlyStage& stage = Stage(nightly, name);
    std::string text = stage.problem;
    for (const NightlyFigure& figure : stage.figures) {
      text += std::to_string(figure.number) + " " + figure.what + "; ";
    }
    for (const NightlyLink& link : stage.links) text += link.file + " ";
    return text;
  }

  fs::path out_;
};

TEST_F(Nightly, AStageThatRanHasItsFiguresAndFilesOnly) {
  struct Row {
    const char* stage;
    const char* file;
    const char* text;
    const char* results;
  };
  const Row rows[] = {
      {"replay", "replay.json",
       R"({"schema":"lanediff-report/2","kind":"run","verb":"check","fuzzers":[],"summary":
       {"cases":5,"steps":6,"comparedBytes":70,"nodes":8,"disagree":2,
       "known":1}})",
       "5 cases; 6 steps; 70 bytes compared; 8 nodes; 2 disagreed; 1 known "
       "issues; replay.json replay.xml "},
      {"fuzz", "fuzz.json",
       R"({"schema":"lanediff-report/2","kind":"run","fuzzers":[
       {"cases":10,"legal":4,"nodes":1,"findings":0,"crashes":0},
       {"cases":20,"legal":5,"nodes":2,"findings":3,"crashes":1}],
       "coverage":[{"instruction":"min","bins":9,"reached":6,"open":2},
       {"room":"max","bins":9,"reached":7,"open":2}],
       "summary":{"cases":1,"known":0}})",
       "30 cases; 9 legal; 3 nodes; 3 disagreed; 1 crashes; 0 known issues; "
       "fuzz.json "},
      {"sweep", "sweep.json",
       R"({"schema":"lanediff-report/2","kind":"run","fuzzers":[],"sweeps":[
       {"cases":1,"legal":1,"steps":2,"comparedBytes":3,"nodes":4,"disagree":0},
       {"cases":6,"legal":1,"steps":2,"comparedBytes":3,"nodes":4,"disagree":0}],
       "summary":{"known":0}})",
       "7 cases; 2 legal; 4 steps; 6 bytes compared; 8 nodes; 0 disagreed; 0 "
       "known issues; sweep.json "},
      {"mutants", "mutants.json",
       R"({"schema":"lanediff-report/2","kind":"mutants","summary":{"mutants":9,"found":7,)"
       R"("notFound":1,"notFinished":1}})",
       "9 planted bugs; 7 found; 1 not found; 1 not finished; mutants.json "},
      {"patches", "patches.txt",
       "patch rule found by after cases\none A-B sweep 7\ntwo A-B survives\n"
       "three A-B unfinished sweep generated\nfour A-B unit Node.Rounds\n"
       "five - left-out\n",
       "5 patches; 2 found; 1 not finished; 1 left out; patches.txt "},
      {"audit", "audit/audit.json",
       R"({"schema":"lanediff-report/2","kind":"audit","cases":1,"steps":2,"comparedBytes":3,
       "nodes":4,"cells":{"enforced":5,"violated":6}})",
       "1 cases; 2 steps; 3 bytes compared; 4 nodes; 5 enforced; 6 violated; "
       "audit/audit.json "},
      {"exhaust", "exhaust.json",
       R"({"schema":"lanediff-report/2","kind":"exhaust","target":"t","complete":true,"spaces":[
       {"calls":1,"points":20,"disagree":0,"unsupported":3},
       {"calls":4,"points":50,"disagree":6,"unsupported":0}]})",
       "2 spaces; 5 calls; 70 points; 6 disagreed; 3 unsupported; "
       "exhaust.json "}};
  Put("replay.xml", "<testsuites/>");
  std::string stages = "date 2026-01-02\ncommit abc\nstage replay 1 75\n";
  for (const Row& row : rows) {
    Put(row.file, row.text);
    if (row.stage == std::string("replay")) continue;
    stages += std::string("stage ") + row.stage + " 0 9" +
              (row.stage == std::string("mutants") ? " unfinished\n" : "\n");
  }
  const NightlyRecord nightly = Ran(stages);
  for (const Row& row : rows) {
    EXPECT_EQ(Results(nightly, row.stage), row.results);
    EXPECT_EQ(Stage(nightly, row.stage).unfinished,
              row.stage == std::string("mutants"));
  }
  EXPECT_EQ(nightly.date, "2026-01-02");
  EXPECT_EQ(nightly.commit, "abc");
  EXPECT_EQ(Stage(nightly, "replay").status, 1);
  EXPECT_EQ(Stage(nightly, "replay").seconds, 75u);
  ASSERT_EQ(nightly.coverage.size(), 2u);
  EXPECT_EQ(nightly.coverage[0].reached, 6u);
  EXPECT_EQ(nightly.coverage[1].slug, "max") << "under the older key";
}

TEST_F(Nightly, StageThatDidNotRunHasNoOlderResults) {
  Put("sweep.json", "left by an earlier run");
  const NightlyRecord nightly = Ran("");
  ASSERT_EQ(nightly.stages.size(), 9u);
  for (const NightlyStage& stage : nightly.stages) {
    EXPECT_FALSE(stage.status) << stage.name;
    EXPECT_EQ(Results(nightly, stage.name), "") << stage.name;
  }
}

TEST_F(Nightly, RatesComeFromFuzzingAndGeneratingInTheirOrder) {
  const std::string line =
      R"({"instruction":"min","build":"BUILD","kind":"legal","cases":4,
      "perSecond":2.5,"oracle":0.5,"target":0.25,"harness":0.125,
      "fuzzer":0.125})";
  const auto built = [&](const std::string& build) {
    return "[" + std::string(line).replace(line.find("BUILD"), 5, build) + "]";
  };
  // Documents of version 1.
  Put("fuzz.json",
      R"({"format":"lanediff-run/1","summary":{"known":0},"fuzzers":[
      {"cases":4,"legal":4,"nodes":0,"findings":0,"crashes":0,"rates":)" +
          built("asan+ubsan") + "}]}");
  Put("generate.json",
      R"({"format":"lanediff-generate/1","instructions":[{"check":{"legal":4,
      "illegal":0,"nodes":9,"findings":0,"rates":)" +
          built("release") + "}}]}");
  const NightlyRecord nightly = Ran("stage fuzz 0 9\nstage generate 0 3\n");
  EXPECT_EQ(Stage(nightly, "fuzz").problem, "");
  EXPECT_EQ(Results(nightly, "generate"),
            "4 legal cases; 0 illegal cases; 9 nodes; 0 disagreed; "
            "generate.json ");
  ASSERT_EQ(nightly.rates.size(), 2u);
  EXPECT_EQ(nightly.rates[0].build, "asan+ubsan");
  EXPECT_EQ(nightly.rates[1].build, "release");
  EXPECT_EQ(nightly.rates[1].per_second, 2.5);
  EXPECT_EQ(nightly.rates[1].oracle, 0.5);
}

TEST_F(Nightly, SignaturesAreThoseOfEachStageInItsOrder) {
  const auto group = [](const std::string& signature, int cases) {
    return R"({"signature":")" + signature +
           R"(","class":"result","instruction":"min","cases":)" +
           std::to_string(cases) +
           R"(,"case":"c","path":"c.json","message":"byte 0",
           "reproduce":"lanediff check c.json"})";
  };
  Put("replay.json",
      R"({"schema":"lanediff-report/2","kind":"run","fuzzers":[],"groups":[)" +
          group("memory/min/value/half", 2) + "," +
          group("memory/min/value/int16", 1) +
          R"(],"summary":{"cases":5,"steps":6,
      "comparedBytes":70,"nodes":8,"disagree":3,"known":0}})");
  Put("audit/audit.json",
      R"({"schema":"lanediff-report/2","kind":"audit","cases":1,"steps":2,"comparedBytes":3,
      "nodes":4,"cells":{},"groups":[)" +
          group("rules/min/outcome/half", 7) + "]}");
  const NightlyRecord nightly = Ran("stage replay 1 1\nstage audit 1 1\n");
  std::string signatures;
  for (const NightlyFinding& finding : nightly.signatures) {
    const FindingGroup& found = finding.group;
    EXPECT_EQ(found.message, "byte 0");
    EXPECT_EQ(found.reproduce, "lanediff check c.json");
    signatures += finding.stage + " " + found.signature + " " +
                  std::to_string(found.cases) + "; ";
  }
  EXPECT_EQ(signatures,
            "replay memory/min/value/half 2; replay memory/min/value/int16 1; "
            "audit rules/min/outcome/half 7; ");
}

TEST_F(Nightly, UnreadableResultsAreReported) {
  Put("replay.json", "{ \"schema\": ");
  Put("mutants.json", R"({"schema":"lanediff-report/2","kind":"run"})");
  Put("patches.txt", "");
  Put("fuzz.json",
      R"({"schema":"lanediff-report/2","kind":"run","fuzzers":[{"cases":-1}],"summary":{}})");
  const NightlyRecord nightly =
      Ran("stage replay 0 1\nstage sweep 2 1\nstage mutants 0 1\n"
          "stage patches 2 0\nstage fuzz 0 1\n");
  const std::pair<const char*, const char*> rows[] = {
      {"replay", "replay.json: /schema: not JSON"},
      {"sweep", "sweep.json is missing"},
      {"mutants", "mutants.json: /kind: found \"run\"; \"mutants\" is allowed"},
      {"patches", "patches.txt: no patch stands there"},
      {"fuzz", "fuzz.json: /fuzzers/0/cases: found -1"}};
  for (const auto& [stage, problem] : rows) {
    EXPECT_TRUE(Stage(nightly, stage).problem.starts_with(problem))
        << Stage(nightly, stage).problem;
  }
}

/// Nothing compared is no agreement.
TEST_F(Nightly, ListsOfFiguresMustBeThere) {
  const std::string head = R"({"schema":"lanediff-report/2","kind":")";
  Put("replay.json", head + R"(run","summary":{"cases":1,"steps":1,
      "comparedBytes":1,"nodes":1,"disagree":0,"known":0}})");
  Put("generate.json", head + R"(generate"})");
  Put("exhaust.json", head + R"(exhaust"})");
  const NightlyRecord nightly =
      Ran("stage replay 0 1\nstage generate 0 1\nstage exhaust 0 1\n");
  const std::pair<const char*, const char*> rows[] = {
      {"replay", "\"fuzzers\" is missing"},
      {"generate", "\"instructions\" is missing"},
      {"exhaust", "\"spaces\" is missing"}};
  for (const auto& [stage, problem] : rows) {
    EXPECT_TRUE(Has(Stage(nightly, stage).problem, problem))
        << Stage(nightly, stage).problem;
  }
}

TEST_F(Nightly, UnknownStagesAreRefused) {
  EXPECT_FALSE(Read()) << "no stages.txt";
  for (const char* line :
       {"stage", "stage nap 0 1", "stage fuzz 0", "stage fuzz 0 1 2",
        "stage fuzz 0 1 unfinished 2", "stage fuzz -1 1", "stage fuzz x 1",
        "stage fuzz 0 1s", "date", "", "stage fuzz 0 1\nstage fuzz 0 1"}) {
    Put("stages.txt", std::string(line) + "\n");
    const auto nightly = Read();
    ASSERT_FALSE(nightly) << line;
    EXPECT_TRUE(Has(nightly.error(), "are allowed"));
    EXPECT_FALSE(Has(nightly.error(), "\n"));
  }
}

TEST_F(Nightly, TextStaysText) {
  NightlyRecord nightly;
  nightly.date = "</script><img src=x>";
  nightly.findings = {"findings/<b>\xff.json"};
  nightly.stages.push_back({.name = "replay", .does = "</script>"});
  const std::string page = NightlyHtml(nightly);
  EXPECT_FALSE(Has(page, "<img src=x>"));
  EXPECT_FALSE(Has(page, "<b>"));
  EXPECT_TRUE(Has(page, ">findings/&lt;b&gt;\\xff.json</a>"));
  EXPECT_TRUE(Has(page, "href=\"findings/%3Cb%3E%FF.json\""));
}

NightlyRecord Ran(int status) {
  NightlyRecord nightly;
  nightly.stages = {{.name = "replay",
                     .does = "",
                     .status = status,
                     .seconds = 75,
                     .figures = {{"cases", 5}, {"disagreed", 2}}},
                    {.name = "sweep", .does = ""}};
  return nightly;
}

NightlyFinding Finding(const std::string& message) {
  return {.stage = "replay",
          .group = {.signature = "memory/min/value/half",
                    .cases = 2,
                    .message = message,
                    .reproduce = "lanediff check a.json"}};
}

TEST(NightlySummary, IsATableOfStagesAndOneOfFindings) {
  NightlyRecord nightly = Ran(1);
  nightly.date = "2026-01-02";
  nightly.commit = "abc";
  nightly.signatures = {Finding("byte 0")};
  EXPECT_EQ(NightlySummary(nightly),
            "## lanediff, nightly run of 2026-01-02, commit abc\n\n"
            "Status 1: found something.\n\n"
            "| stage | status | seconds | figures |\n"
            "| --- | --- | ---: | --- |\n"
            "| replay | 1 found something | 75 | 5 cases, 2 disagreed |\n\n"
            "Did not run: sweep.\n\n"
            "### Findings by signature\n\n"
            "| stage | signature | cases | first of them |\n"
            "| --- | --- | ---: | --- |\n"
            "| replay | <code>memory/min/value/half</code> | 2 | byte "
            "0<br><code>lanediff check a.json</code> |\n");
}

TEST(NightlySummary, ShowsAMessageAsItIs) {
  NightlyRecord nightly = Ran(1);
  nightly.signatures = {
      Finding("a|b\n<script>alert(1)</script> `x` [y](z) **")};
  const std::string text = NightlySummary(nightly);
  EXPECT_TRUE(Has(text,
                  "| a&#124;b&#92;n&#60;script&#62;alert(1)&#60;/script&#62; "
                  "&#96;x&#96; &#91;y&#93;(z) &#42;&#42;<br>"));
}

TEST(NightlySummary, StatusOfTheRunIsTheWorst) {
  EXPECT_TRUE(Has(NightlySummary(Ran(0)), "Status 0: all agree."));
  EXPECT_TRUE(Has(NightlySummary(Ran(0)), "No finding."));
  NightlyRecord nightly = Ran(3);
  nightly.stages[1].status = 2;
  EXPECT_TRUE(Has(NightlySummary(nightly), "Status 3: a target failed."));
  nightly.stages[1].status = 1;
  EXPECT_TRUE(Has(NightlySummary(nightly), "Status 1: found something."));
  nightly = Ran(0);
  nightly.stages[0].problem = "replay.json is missing";
  nightly.stages[0].unfinished = true;
  const std::string text = NightlySummary(nightly);
  EXPECT_TRUE(Has(text, "Status 2: not all of it."));
  EXPECT_TRUE(Has(text, "| 0 all agree, unfinished |"));
  EXPECT_TRUE(Has(text, "replay.json is missing |"));
}

TEST(NightlySummary, OfManyFindingsTheFirstAreShown) {
  NightlyRecord nightly = Ran(1);
  nightly.signatures.assign(kSummaryFindings + 3, Finding("m"));
  EXPECT_TRUE(Has(NightlySummary(nightly), "and 3 more"));
}

}  // namespace

}  // namespace lanediff::reports::test

#include "reports/nightly.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lanediff::reports {
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
  static const NightlyStage& Stage(const NightlyRecord& nightly,
                                   const std::string& name) {
    for (const NightlyStage& stage : nightly.stages) {
      if (stage.name == name) return stage;
    }
    ADD_FAILURE() << "no stage " << name;
    return nightly.stages.front();
  }
  static std::string Figures(const NightlyStage& stage) {
    std::string text;
    for (const NightlyFigure& figure : stage.figures) {
      text += std::to_string(figure.number) + " " + figure.what + "; ";
    }
    return text;
  }
  static std::string Links(const NightlyStage& stage) {
    std::string text;
    for (const NightlyLink& link : stage.links) text += link.file + " ";
    return text;
  }

  fs::path out_;
};

TEST_F(Nightly, StageThatRanHasItsFiguresAndFilesOnly) {
  Put("stages.txt", "date 2026-01-02\ncommit abc\nstage replay 1 75\n");
  Put("replay.json",
      R"({"format":"lanediff-run/1","verb":"check","fuzzers":[],"summary":
      {"cases":5,"steps":6,"comparedBytes":70,"nodes":8,"disagree":2,
      "known":1}})");
  Put("replay.xml", "<testsuites/>");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  EXPECT_EQ(nightly->date, "2026-01-02");
  EXPECT_EQ(nightly->commit, "abc");
  const NightlyStage& replay = Stage(*nightly, "replay");
  EXPECT_EQ(replay.status, 1);
  EXPECT_EQ(replay.seconds, 75u);
  EXPECT_EQ(replay.problem, "");
  EXPECT_EQ(Figures(replay),
            "5 cases; 6 steps; 70 bytes compared; 8 nodes; 2 disagreed; 1 "
            "known issues; ");
  EXPECT_EQ(Links(replay), "replay.json replay.xml ");
}

TEST_F(Nightly, StageThatDidNotRunHasNoOlderResults) {
  Put("stages.txt", "");
  Put("sweep.json", "left by an earlier run");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  ASSERT_EQ(nightly->stages.size(), 9u);
  for (const NightlyStage& stage : nightly->stages) {
    EXPECT_FALSE(stage.status) << stage.name;
    EXPECT_TRUE(stage.links.empty()) << stage.name;
    EXPECT_EQ(stage.problem, "") << stage.name;
  }
}

TEST_F(Nightly, ProgramsAndInstructionsAreAddedUp) {
  Put("stages.txt", "stage fuzz 0 9\nstage sweep 0 1\n");
  Put("fuzz.json",
      R"({"format":"lanediff-run/1","fuzzers":[
      {"cases":10,"legal":4,"nodes":1,"findings":0,"crashes":0},
      {"cases":20,"legal":5,"nodes":2,"findings":3,"crashes":1}],
      "coverage":[{"instruction":"min","bins":9,"reached":6,"open":2},
      {"room":"max","bins":9,"reached":7,"open":2}],
      "summary":{"cases":1,"known":0}})");
  Put("sweep.json",
      R"({"format":"lanediff-run/1","fuzzers":[],"sweeps":[
      {"cases":1,"legal":1,"steps":2,"comparedBytes":3,"nodes":4,"disagree":0},
      {"cases":6,"legal":1,"steps":2,"comparedBytes":3,"nodes":4,"disagree":0}],
      "summary":{"known":0}})");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  EXPECT_EQ(Figures(Stage(*nightly, "fuzz")),
            "30 cases; 9 legal; 3 nodes; 3 disagreed; 1 crashes; 0 known "
            "issues; ");
  EXPECT_EQ(Figures(Stage(*nightly, "sweep")),
            "7 cases; 2 legal; 4 steps; 6 bytes compared; 8 nodes; 0 "
            "disagreed; 0 known issues; ");
  ASSERT_EQ(nightly->coverage.size(), 2u);
  EXPECT_EQ(nightly->coverage[0].reached, 6u);
  EXPECT_EQ(nightly->coverage[1].slug, "max") << "under the older key";
}

TEST_F(Nightly, RatesComeFromFuzzingAndGeneratingInTheirOrder) {
  Put("stages.txt", "stage fuzz 0 9\nstage generate 0 3\n");
  const std::string line =
      R"({"instruction":"min","build":"BUILD","kind":"legal","cases":4,
      "perSecond":2.5,"oracle":0.5,"target":0.25,"harness":0.125,
      "fuzzer":0.125})";
  const auto built = [&](const std::string& build) {
    return "[" + std::string(line).replace(line.find("BUILD"), 5, build) + "]";
  };
  Put("fuzz.json",
      R"({"format":"lanediff-run/1","summary":{"known":0},"fuzzers":[
      {"cases":4,"legal":4,"nodes":0,"findings":0,"crashes":0,"rates":)" +
          built("asan+ubsan") + "}]}");
  Put("generate.json",
      R"({"format":"lanediff-generate/1","instructions":[{"check":{"legal":4,
      "illegal":0,"nodes":9,"findings":0,"rates":)" +
          built("release") + "}}]}");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  EXPECT_EQ(Stage(*nightly, "fuzz").problem, "");
  EXPECT_EQ(Stage(*nightly, "generate").problem, "");
  EXPECT_EQ(Figures(Stage(*nightly, "generate")),
            "4 legal cases; 0 illegal cases; 9 nodes; 0 disagreed; ");
  ASSERT_EQ(nightly->rates.size(), 2u);
  EXPECT_EQ(nightly->rates[0].build, "asan+ubsan");
  EXPECT_EQ(nightly->rates[1].build, "release");
  EXPECT_EQ(nightly->rates[1].per_second, 2.5);
  EXPECT_EQ(nightly->rates[1].oracle, 0.5);
}

TEST_F(Nightly, MutantsPatchesAndAudit) {
  Put("stages.txt",
      "stage mutants 2 1 unfinished\nstage patches 1 1\nstage audit 0 1\n");
  Put("mutants.json",
      R"({"format":"lanediff-mutants/1","summary":{"mutants":9,"found":7,)"
      R"("notFound":1,"notFinished":1}})");
  Put("patches.txt",
      "patch rule found by after cases\none A-B sweep 7\ntwo A-B survives\n"
      "three A-B unfinished sweep generated\nfour A-B unit Node.Rounds\n");
  Put("audit/audit.json",
      R"({"format":"lanediff-audit/1","cases":1,"steps":2,"comparedBytes":3,
      "nodes":4,"cells":{"enforced":5,"violated":6}})");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  EXPECT_TRUE(Stage(*nightly, "mutants").unfinished);
  EXPECT_FALSE(Stage(*nightly, "patches").unfinished);
  EXPECT_EQ(Figures(Stage(*nightly, "mutants")),
            "9 planted bugs; 7 found; 1 not found; 1 not finished; ");
  EXPECT_EQ(Figures(Stage(*nightly, "patches")),
            "4 patches; 2 found; 1 not finished; ");
  EXPECT_EQ(Figures(Stage(*nightly, "audit")),
            "1 cases; 2 steps; 3 bytes compared; 4 nodes; 5 enforced; 6 "
            "violated; ");
}

TEST_F(Nightly, SignaturesAreThoseOfEachStageInItsOrder) {
  Put("stages.txt", "stage replay 1 1\nstage audit 1 1\n");
  const auto group = [](const std::string& signature, int cases) {
    return R"({"signature":")" + signature +
           R"(","class":"result","instruction":"min","cases":)" +
           std::to_string(cases) +
           R"(,"case":"c","path":"c.json","message":"byte 0",
           "reproduce":"lanediff check c.json"})";
  };
  Put("replay.json", R"({"format":"lanediff-run/1","fuzzers":[],"groups":[)" +
                         group("memory/min/value/half", 2) + "," +
                         group("memory/min/value/int16", 1) +
                         R"(],"summary":{"cases":5,"steps":6,
      "comparedBytes":70,"nodes":8,"disagree":3,"known":0}})");
  Put("audit/audit.json",
      R"({"format":"lanediff-audit/1","cases":1,"steps":2,"comparedBytes":3,
      "nodes":4,"cells":{},"groups":[)" +
          group("rules/min/outcome/half", 7) + "]}");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  std::string signatures;
  for (const NightlyFinding& finding : nightly->signatures) {
    signatures += finding.stage + " " + finding.signature + " " +
                  std::to_string(finding.cases) + "; ";
  }
  EXPECT_EQ(signatures,
            "replay memory/min/value/half 2; replay memory/min/value/int16 1; "
            "audit rules/min/outcome/half 7; ");
  ASSERT_FALSE(nightly->signatures.empty());
  EXPECT_EQ(nightly->signatures[0].message, "byte 0");
  EXPECT_EQ(nightly->signatures[0].reproduce, "lanediff check c.json");
}

TEST_F(Nightly, SpacesAreAddedUp) {
  Put("stages.txt", "stage exhaust 1 5\n");
  Put("exhaust.txt", "");
  Put("exhaust.json",
      R"({"format":"lanediff-exhaust/1","target":"t","complete":true,"spaces":[
      {"calls":1,"points":20,"disagree":0,"unsupported":3},
      {"calls":4,"points":50,"disagree":6,"unsupported":0}]})");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  const NightlyStage& exhaust = Stage(*nightly, "exhaust");
  EXPECT_EQ(exhaust.problem, "");
  EXPECT_EQ(Figures(exhaust),
            "2 spaces; 5 calls; 70 points; 6 disagreed; 3 unsupported; ");
  EXPECT_EQ(Links(exhaust), "exhaust.txt exhaust.json ");
}

TEST_F(Nightly, UnreadableResultsAreReported) {
  Put("stages.txt",
      "stage replay 0 1\nstage sweep 2 1\nstage mutants 0 1\n"
      "stage patches 2 0\nstage fuzz 0 1\n");
  Put("replay.json", "{ \"format\": ");
  Put("mutants.json", R"({"format":"lanediff-run/1"})");
  Put("patches.txt", "");
  Put("fuzz.json",
      R"({"format":"lanediff-run/1","fuzzers":[{"cases":-1}],"summary":{}})");
  const auto nightly = Read();
  ASSERT_TRUE(nightly) << nightly.error();
  EXPECT_TRUE(Stage(*nightly, "replay")
                  .problem.starts_with("replay.json: /format: not JSON"))
      << Stage(*nightly, "replay").problem;
  EXPECT_EQ(Stage(*nightly, "sweep").problem, "sweep.json is missing");
  EXPECT_EQ(Stage(*nightly, "mutants").problem,
            "mutants.json: /format: found \"lanediff-run/1\"; "
            "\"lanediff-mutants/1\" is allowed");
  EXPECT_EQ(Stage(*nightly, "patches").problem,
            "patches.txt: no patch stands there");
  EXPECT_TRUE(Stage(*nightly, "fuzz")
                  .problem.starts_with("fuzz.json: /fuzzers/0/cases: found -1"))
      << Stage(*nightly, "fuzz").problem;
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
    EXPECT_NE(nightly.error().find("is allowed") == std::string::npos
                  ? nightly.error().find("are allowed")
                  : 0,
              std::string::npos)
        << nightly.error();
    EXPECT_EQ(nightly.error().find('\n'), std::string::npos) << nightly.error();
  }
}

TEST_F(Nightly, TextStaysText) {
  NightlyRecord nightly;
  nightly.date = "</script><img src=x>";
  nightly.findings = {"findings/<b>\xff.json"};
  nightly.stages.push_back({.name = "replay", .does = "</script>"});
  const std::string page = NightlyHtml(nightly);
  EXPECT_EQ(page.find("<img src=x>"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003cb>"), std::string::npos);
}

}  // namespace
}  // namespace lanediff::reports

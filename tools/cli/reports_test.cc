// Known issues, and the report files of every verb: valid by their schemas, and
// against a baseline.

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kKnown = "expectation/repeat_reduce_sum/value/half";

class KnownIssues : public ProgramTest {
 protected:
  void Write(const std::string& name,
             const std::string& expires = "9999-12-31") const {
    Spill(In(name), KnownIssueList({kKnown}, expires));
  }
};

TEST_F(KnownIssues, ACaseWithKnownFindingsOnlyDoesNotFail) {
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  EXPECT_EQ(Lanediff("check cases").status, 1);
  Write("cases/known_issues.json");
  Expect(
      Lanediff("check cases --json run.json --junit run.xml"), 0,
      {.out = {"\nknown cases/b.json\n", "  known: the tail is late (page 1)\n",
               "1 agree, 0 disagree, 0 unsupported, 0 malformed, 1 known;"}});
  ExpectMembers(ReadJson("run.json"),
                {{"/summary/known", 1},
                 {"/cases/1/verdict", "known"},
                 {"/cases/1/findings/0/signature", kKnown}});
  const std::string xml = Slurp(In("run.xml"));
  ExpectParts(xml, {R"(failures="0")", R"( skipped="1">)"});
  EXPECT_EQ(CountOf(xml, "<skipped"), 1u);
}

TEST_F(KnownIssues, OthersStillFail) {
  WriteCaseAs("b.json", "[35584]", "[35604]");
  WriteCaseAs("c.json", "\"executed\"",
              "\"rejected\", \"step\": 0, \"rules\": [\"RRS-REPEAT\"]");
  Write("list.json");
  Expect(Lanediff("check b.json c.json --known-issues list.json"), 1,
         {.out = {
              "known b.json\n", "disagree c.json\n",
              "  signature: expectation/repeat_reduce_sum/RRS-REPEAT/half\n"}});
}

TEST_F(KnownIssues, OnlyAFoldersOwnListIsTakenUnasked) {
  fs::create_directories(In("cases/deeper"));
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  Write("known_issues.json");
  Write("cases/deeper/known_issues.json");
  ExpectStatus(1, {"check cases", "check cases/b.json"});
  Expect(Lanediff("check cases/b.json --known-issues known_issues.json"), 0);
}

TEST_F(KnownIssues, OneThatIsExpiredOrDidNotOccurFailsTheRun) {
  WriteCaseAs("a.json");
  WriteCaseAs("b.json", "[35584]", "[35604]");
  const std::string run =
      " --known-issues list.json --json run.json --junit run.xml";
  Write("list.json", "2020-02-29");
  Expect(Lanediff("check b.json" + run), 1,
         {.out = {"known issue: list.json: " + kKnown +
                  " expired: accepted until 2020-02-29, today is 2"}});
  EXPECT_EQ(ReadJson("run.json").at("staleKnownIssues").size(), 1u);
  const std::string xml = Slurp(In("run.xml"));
  ExpectParts(xml, {R"(tests="2" failures="1")"});
  EXPECT_EQ(CountOf(xml, "<failure "), 1u);
  Write("list.json");
  Expect(Lanediff("check a.json" + run), 1,
         {.out = {"known issue: list.json: " + kKnown +
                  " did not occur in this run;"}});
}

TEST_F(KnownIssues, ABadListIs2BeforeAnythingRuns) {
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  Write("cases/known_issues.json", "2026-02-30");
  ExpectAllRefused(
      {{"check cases",
        "lanediff: cases/known_issues.json: /issues/0/expires: found "
        "\"2026-02-30\"; a day of the calendar, YYYY-MM-DD, is allowed\n"},
       {"check cases --known-issues none.json",
        "lanediff: none.json: not found\n"}});
}

using reports::test::FitsJunit;
using reports::test::FitsSchema;

constexpr const char* kSarif = "third_party/sarif-2.1.0-rtm.5.json";
const std::string kFiles = " --json out.js --junit out.xml --sarif out.sarif ";

class Reports : public ProgramTest {
 protected:
  /// Checks that the files in `kFiles` are valid.
  void ExpectValid() const {
    EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "run.schema.json"));
    EXPECT_TRUE(FitsSchema(Slurp(In("out.sarif")), kSarif));
    EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
  }
  Json Sarif() const { return ReadJson("out.sarif").at("runs").at(0); }
};

TEST_F(Reports, OfRandomAndExhaustiveCasesAreThoseOfAllSources) {
  const std::pair<std::string, std::string> rows[] = {
      {"generate",
       "--instruction min --max-cases 500 --check --target "
       "mutant:min-half-not-saturated"},
      {"exhaust",
       "sum-half-saturating --range 8158188..8158192 --target "
       "mutant:rrs-saturation-missing"}};
  for (const auto& [verb, options] : rows) {
    Clear();
    Expect(Lanediff(verb + " " + options +
                    " --json f.json --junit f.xml --sarif f.sarif --html page"),
           1);
    EXPECT_EQ(ReadJson("f.json").at("kind"), verb);
    const std::string xml = Slurp(In("f.xml"));
    EXPECT_TRUE(FitsJunit(xml)) << verb;
    EXPECT_TRUE(FitsSchema(Slurp(In("f.sarif")), kSarif)) << verb;
    ExpectParts(xml, {"lanediff." + verb, verb + "/", "out/findings/"});
    const Json run = ReadJson("f.sarif").at("runs").at(0);
    EXPECT_GE(run.at("results").size(), CountOf(xml, "name=\"out/findings/"))
        << "a case may have two";
    ExpectParts(Slurp(In("page/index.html")), {"#/case/", verb});
  }
  ExpectRefused(Lanediff("generate --junit f.xml"), "add --check");
}

TEST_F(Reports, OfCheckAreValid) {
  WriteCaseAs("a.json");
  WriteCaseAs("b <&\"> \xff.json", "[35584]", "[1]");
  WriteCaseAs("c.json", "\"repeat\"", "\"r\\u0001\xe2\x82\xac\"");
  EXPECT_EQ(Lanediff("check ." + kFiles).status, 1);
  ExpectValid();
  const Json run = Sarif();
  EXPECT_EQ(run.at("results").size(), 2u) << "emulator and oracle";
  ExpectMembers(
      run, {{"/results/0/locations/0/physicalLocation/artifactLocation/uri",
             "./b%20%3C%26%22%3E%20%FF.json"},
            {"/invocations/0/exitCode", 1}});
  EXPECT_EQ(run.at("invocations")[0].at("toolExecutionNotifications").size(),
            1u);
}

TEST_F(Reports, OfSweepAreValid) {
  Expect(Lanediff("sweep --instruction vec_trans --shard 3/40" + kFiles), 0);
  ExpectValid();
  EXPECT_EQ(Sarif().at("results").size(), 0u);
  EXPECT_EQ(Sarif().at("invocations")[0].at("exitCode"), 0);
}

TEST_F(Reports, OfFuzzAreValidAndKnowABaseline) {
  fs::create_directories(In("bin"));
  fs::create_directories(In("corpus"));
  WriteCaseAs("corpus/a.json");
  Script(
      "bin/lanediff-fuzz-fake",
      "sed s/35584/35616/ corpus/*.json > $LANEDIFF_FUZZ_FINDINGS/new.json; " +
          LeaveFuzzStats("1") + "exit 77");
  const std::string fuzz =
      "fuzz --fuzzers bin --jobs 1 --seed 5 --seconds 1" + kFiles;
  EXPECT_EQ(Lanediff(fuzz).status, 1);
  ExpectValid();
  EXPECT_EQ(Sarif().at("results").size(), 2u);
  Expect(Lanediff(fuzz + "--baseline out.js"), 1,
         {.out = {"against out.js of emulator: 0 findings new, 0 gone, "
                  "0 updated, 1 unchanged\n"}});
  ExpectValid();
  EXPECT_EQ(Sarif().at("results")[0].at("baselineState"), "unchanged");
}

TEST_F(Reports, CheckReportsWhatChangedSinceABaseline) {
  WriteCaseAs("a.json", "[35584]", "[1]");
  WriteCaseAs("b.json", "[35584]", "[2]");
  Spill(In("b.json"),
        Replaced(Slurp(In("b.json")), "\"id\": \"", "\"id\": \"b/"));
  ASSERT_EQ(Lanediff("check a.json b.json --json old.js").status, 1);
  WriteCaseAs("a.json");
  const Result r = Lanediff("check . --baseline old.js" + kFiles);
  Expect(r, 1,
         {.out = {"gone a.json expectation/repeat_reduce_sum/value/half\n"
                  "against old.js of emulator: 0 findings new, 1 gone, "}});
  ExpectValid();
  const Json baseline = ReadJson("out.js").at("changes");
  EXPECT_EQ(baseline.at("gone").size(), 1u);
  EXPECT_EQ(Sarif().at("results").back().at("baselineState"), "absent");
}

TEST_F(Reports, OfMutantsAreValidAndKnowABaseline) {
  const std::string hunt =
      "mutants min-repeat-256-accepted --checker corpus "
      "--corpus " LANEDIFF_SOURCE_DIR
      "/corpus/min --json out.js --junit out.xml ";
  EXPECT_EQ(Lanediff(hunt).status, 0);
  EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
  EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
  Spill(In("old.js"), Replaced(Slurp(In("out.js")), "\"verdict\": \"found\"",
                               "\"verdict\": \"not found\""));
  Expect(Lanediff(hunt + "--baseline old.js"), 0,
         {.out = {"found now, not before: min-repeat-256-accepted\n"
                  "against old.js: 1 mutants found now and not before, 0 the "
                  "other way round, 0 unchanged\n"}});
  EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
}

TEST_F(Reports, ABaselineThatIsNoneIs2BeforeAnythingIsRun) {
  WriteCaseAs("a.json");
  Spill(In("broken.js"), "{ \"format\": ");
  Spill(In("other.js"), R"({ "format": "lanediff-mutants/1" })");
  ASSERT_EQ(Lanediff("check a.json --json check.js").status, 0);
  const std::string report = Slurp(In("check.js"));
  Spill(In("cut.js"), report.substr(0, report.size() / 2));
  Spill(In("newer.js"),
        Replaced(report, "lanediff-report/2", "lanediff-report/3"));
  ASSERT_EQ(Shell("mkdir bin corpus && cp a.json corpus").status, 0);
  Script("bin/lanediff-fuzz-fake", "");
  ExpectAllRefused(
      {{"check a.json --baseline none.js", "--baseline: none.js: not found\n"},
       {"check a.json --baseline broken.js",
        "--baseline: broken.js: /format: not JSON at byte "},
       {"check a.json --baseline other.js",
        "--baseline: other.js: /format: found \"lanediff-mutants/1\"; "
        "\"lanediff-run/1\" is allowed\n"},
       {"check a.json --baseline a.json", "--baseline: a.json: /format: found"},
       {"sweep --baseline check.js",
        "--baseline: check.js: /verb: found \"check\"; \"sweep\" is allowed\n"},
       {"fuzz --fuzzers bin --baseline check.js",
        "--baseline: check.js: /verb: found \"check\"; \"fuzz\" is allowed\n"},
       {"mutants --baseline check.js",
        "--baseline: check.js: /kind: found \"run\"; \"mutants\" is "
        "allowed\n"},
       {"check a.json --baseline newer.js",
        "--baseline: newer.js: /schema: found \"lanediff-report/3\"; "
        "\"lanediff-report/2\" is allowed\n"},
       {"check a.json --baseline cut.js", "--baseline: cut.js: "}});
  EXPECT_FALSE(fs::exists(In("out"))) << "nothing is half done";
}

}  // namespace
}  // namespace lanediff::cli::test

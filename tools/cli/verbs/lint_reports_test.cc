// The verb lint: what it accepts, what it leaves, and bad input.

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

/// A case of `steps`, on atlas-a2, synchronized by hand.
std::string LintCase(const std::string& steps,
                     const std::string& product = "atlas-a2") {
  return R"({"format": "lanediff-case/1", "id": "k", "product": ")" + product +
         R"(", "sync": {"auto": false},
             "memory": {"GM": {"size": 65536}, "UB": {}}, "program": [)" +
         "\n" + steps + "]}";
}

/// A copy in and the copy out behind it, which nothing orders.
const std::string kLintCopyIn =
    R"({"op": "DataCopy", "dtype": "half", "count": 128,
  "dst": {"position": "VECIN", "at": 0, "bytes": 256},
  "src": {"position": "GM", "at": 0, "bytes": 256}})";
const std::string kLintCopyOut =
    R"({"op": "DataCopy", "dtype": "half", "count": 128,
  "dst": {"position": "GM", "at": 8192, "bytes": 256},
  "src": {"position": "VECOUT", "at": 0, "bytes": 256}})";
const std::string kLintSignature = "lint/data_copy/SYNC-RAW/half";

class LintReports : public ProgramTest {
 protected:
  Result LintOf(const std::string& steps,
                const std::string& product = "atlas-a2") const {
    Spill(In("case.json"), LintCase(steps, product));
    return Lanediff("lint case.json");
  }
  /// With an address space of a gibibyte.
  Result LintResets(int count) const {
    std::string steps = R"({"op":"ResetMask"})";
    for (int i = 1; i < count; ++i) steps += R"(,{"op":"ResetMask"})";
    Spill(In("many.json"), LintCase(steps));
    return Shell("ulimit -v 1048576; lanediff lint many.json");
  }
  void SetUp() override {
    ProgramTest::SetUp();
    Spill(In("race.json"), LintCase(kLintCopyIn + ",\n" + kLintCopyOut));
  }
};

TEST_F(LintReports, KnownFindingsAreCountedAndDoNotFail) {
  EXPECT_EQ(Lanediff("lint race.json").status, 1);
  Spill(In("list.json"), KnownIssueList({kLintSignature}));
  Expect(
      Lanediff("lint race.json --known-issues list.json --json out.json"), 0,
      {.out = {"  known: " + kLintSignature + ": the tail is late (page 1)\n",
               "1 finding accepted as known issues\n"}});
  const Json json = ReadJson("out.json");
  ExpectMembers(json, {{"/summary/known", 1},
                       {"/summary/hazards", 1},
                       {"/headline/tone", "incomplete"},
                       {"/groups", Json::array()}});
}

TEST_F(LintReports, AFoldersOwnListIsTaken) {
  fs::create_directories(In("d"));
  fs::rename(In("race.json"), In("d/race.json"));
  Spill(In("d/known_issues.json"), KnownIssueList({kLintSignature}));
  EXPECT_EQ(Lanediff("lint d").status, 0);
}

TEST_F(LintReports, ExpiredAndGoneEntriesFail) {
  Spill(In("list.json"), KnownIssueList({kLintSignature}, "2001-01-01"));
  Expect(Lanediff("lint race.json --known-issues list.json"), 1,
         {.out = {"known issue: list.json: " + kLintSignature +
                  " expired: accepted until 2001-01-01"}});
  Spill(In("list.json"), KnownIssueList({"lint/min/SYNC-RAW/half"}));
  Expect(Lanediff("lint race.json --known-issues list.json"), 1,
         {.out = {"did not occur in this run"}});
}

TEST_F(LintReports, OneListServesCheckAndLint) {
  fs::create_directories(In("d"));
  Spill(In("d/known_issues.json"), KnownIssueList({kLintSignature}));
  WriteCaseAs("d/a.json");
  EXPECT_EQ(Lanediff("check d").status, 0) << "lint's entries are not check's";
  Spill(In("list.json"), KnownIssueList({"memory/min/zero-sign/half"}));
  ExpectNone(Lanediff("lint race.json --known-issues list.json").out,
             {"did not occur"});
  Spill(In("list.json"), KnownIssueList({"lint/min/NO-RULE/half"}));
  EXPECT_EQ(Lanediff("lint race.json --known-issues list.json").status, 2);
}

TEST_F(LintReports, WritesRequestedReports) {
  Expect(Lanediff("lint race.json --product atlas-a2,atlas-training --json "
                  "o.json --junit o.xml --sarif o.sarif --html page"),
         1);
  using reports::test::FitsSchema;
  EXPECT_TRUE(FitsSchema(Slurp(In("o.json")), "lint.schema.json"));
  EXPECT_TRUE(reports::test::FitsJunit(Slurp(In("o.xml"))));
  EXPECT_TRUE(
      FitsSchema(Slurp(In("o.sarif")), "third_party/sarif-2.1.0-rtm.5.json"));
  const Json results = ReadJson("o.sarif")["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "race.json");
  EXPECT_EQ(place["region"]["startLine"], 6) << "where the step begins";
  ExpectParts(Slurp(In("page/index.html")),
              {"<h2>By product</h2>", "found race.json on atlas-training"});
  const Json json = ReadJson("o.json");
  EXPECT_EQ(json["cases"][1]["reproduce"],
            "lanediff lint race.json --product atlas-training");
  EXPECT_EQ(Lanediff("lint race.json --sarif no/such/o.sarif").status, 1);
}

TEST_F(LintReports, SavesWhatShowsEachFindingAlone) {
  Spill(In("three.json"),
        LintCase(kLintCopyIn + R"(, {"op": "PipeBarrier", "pipe": "V"},
                 {"op": "SetFlag", "event": "M_V", "id": 0}, )" +
                 kLintCopyOut));
  Expect(Lanediff("lint three.json --out alone --json o.json"), 1);
  const Json findings = ReadJson("o.json")["cases"][0]["findings"];
  ASSERT_EQ(findings.size(), 2u);
  for (const Json& finding : findings) {
    const std::string file = finding.at("alone");
    const Result again = Lanediff("lint " + file + " --json again.json");
    EXPECT_EQ(again.status, 1);
    const Json there = ReadJson("again.json")["cases"][0]["findings"];
    ASSERT_EQ(there.size(), 1u) << again.out;
    EXPECT_EQ(there[0]["signature"], finding["signature"]);
    const Json saved = ReadJson(file);
    ExpectMembers(saved, {{"/origin/tool", "lanediff-lint"},
                          {"/origin/signature", finding["signature"]}});
    EXPECT_LE(saved["program"].size(), 2u);
    const Result same = Lanediff("convert " + file + " -o same.json");
    if (same.status == 0) {
      EXPECT_EQ(Slurp(In("same.json")), Slurp(In(file))) << "canonical";
    }
  }
}

TEST_F(LintReports, BadFlagsGetALine) {
  Expect(LintOf(R"({"op": "SetFlag", "event": "V_GPU", "id": 0})"), 2,
         {.out = {"malformed case.json: /program/0/event: "}});
  Expect(
      LintOf(R"({"op": "SetFlag", "event": "MTE2_V", "id": 9223372036854775807},
                {"op": "WaitFlag", "event": "MTE2_V",
                 "id": 9223372036854775807})"),
      1,
      {.out = {"repair: id 0 instead of 9223372036854775807 in steps 0, 1\n"}});
  Expect(LintOf(R"({"op": "WaitFlag", "event": "MTE2_V", "id": 0})"), 1,
         {.out = {"waits for a flag that nothing sets before it; put SetFlag "
                  "MTE2_V 0 before step 0\n"}});
  Expect(LintOf(R"({"op": "PipeBarrier", "pipe": "V"})", "atlas-200-300-500"),
         1, {.out = {"is of a pipe that has no barrier here\n"}});
}

TEST_F(LintReports, AMillionStepsAreTooLargeAFile) {
  Expect(LintResets(1'000'000), 2,
         {.out = {"malformed many.json: 16777217 bytes; at most 16777216 are "
                  "allowed\n"}});
}

TEST_F(LintReports, AsManyStepsAsAFileHoldsInAGibibyte) {
  const Result r = LintResets(800'000);
  EXPECT_TRUE((r.status == 0 && Has(r.out, "looked at 800000 steps")) ||
              (r.status == 2 && Has(r.out, "not enough memory")))
      << r.status << r.out.substr(0, 300) << r.err;
}

}  // namespace
}  // namespace lanediff::cli::test

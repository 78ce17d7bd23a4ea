// The verb lint: what it accepts, what it leaves, and bad input.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli {
namespace {

using test::Has;
using test::Result;
using test::Slurp;
using test::Spill;
namespace fs = std::filesystem;
using Json = nlohmann::json;

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

std::string LintIssues(const std::string& signature,
                       const std::string& expires) {
  return R"({"format": "lanediff-known-issues/1", "issues": [{"signature": ")" +
         signature + R"(", "reason": "the tail is late", "link": "page 1", )" +
         R"("expires": ")" + expires + "\"}]}";
}

class LintReports : public test::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Spill(In("race.json"), LintCase(kLintCopyIn + ",\n" + kLintCopyOut));
  }
};

TEST_F(LintReports, KnownFindingsAreCountedAndDoNotFail) {
  EXPECT_EQ(Lanediff("lint race.json").status, 1);
  Spill(In("list.json"), LintIssues(kLintSignature, "9999-12-31"));
  const Result r =
      Lanediff("lint race.json --known-issues list.json --json out.json");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(
      r.out, "  known: " + kLintSignature + ": the tail is late (page 1)\n"))
      << r.out;
  EXPECT_TRUE(Has(r.out, "1 finding accepted as known issues\n")) << r.out;
  const Json json = Json::parse(Slurp(In("out.json")));
  EXPECT_EQ(json["summary"]["known"], 1);
  EXPECT_EQ(json["summary"]["hazards"], 1);
  EXPECT_EQ(json["headline"]["tone"], "incomplete");
  EXPECT_EQ(json["groups"], Json::array());
}

TEST_F(LintReports, AFoldersOwnListIsTaken) {
  fs::create_directories(In("d"));
  fs::rename(In("race.json"), In("d/race.json"));
  Spill(In("d/known_issues.json"), LintIssues(kLintSignature, "9999-12-31"));
  EXPECT_EQ(Lanediff("lint d").status, 0);
}

TEST_F(LintReports, ExpiredAndGoneEntriesFail) {
  Spill(In("list.json"), LintIssues(kLintSignature, "2001-01-01"));
  Result r = Lanediff("lint race.json --known-issues list.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "known issue: list.json: " + kLintSignature +
                             " expired: accepted until 2001-01-01"))
      << r.out;
  Spill(In("list.json"), LintIssues("lint/min/SYNC-RAW/half", "9999-12-31"));
  r = Lanediff("lint race.json --known-issues list.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "did not occur in this run")) << r.out;
}

TEST_F(LintReports, OneListServesCheckAndLint) {
  fs::create_directories(In("d"));
  Spill(In("d/known_issues.json"), LintIssues(kLintSignature, "9999-12-31"));
  WriteCaseAs("d/a.json");
  EXPECT_EQ(Lanediff("check d").status, 0) << "lint's entries are not check's";
  Spill(In("list.json"), LintIssues("memory/min/zero-sign/half", "9999-12-31"));
  const Result r = Lanediff("lint race.json --known-issues list.json");
  EXPECT_FALSE(Has(r.out, "did not occur")) << r.out;
  Spill(In("list.json"), LintIssues("lint/min/NO-RULE/half", "9999-12-31"));
  EXPECT_EQ(Lanediff("lint race.json --known-issues list.json").status, 2);
}

TEST_F(LintReports, WritesRequestedReports) {
  const Result r = Lanediff(
      "lint race.json --product atlas-a2,atlas-training --json o.json --junit "
      "o.xml --sarif o.sarif --html page");
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_TRUE(
      reports::test::FitsSchema(Slurp(In("o.json")), "lint.schema.json"));
  EXPECT_TRUE(reports::test::FitsJunit(Slurp(In("o.xml"))));
  EXPECT_TRUE(reports::test::FitsSchema(Slurp(In("o.sarif")),
                                        "third_party/sarif-2.1.0-rtm.5.json"));
  const Json results = Json::parse(Slurp(In("o.sarif")))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "race.json");
  EXPECT_EQ(place["region"]["startLine"], 6) << "where the step begins";
  EXPECT_TRUE(Has(Slurp(In("page/index.html")), "renderLint"));
  const Json json = Json::parse(Slurp(In("o.json")));
  EXPECT_EQ(json["cases"][1]["reproduce"],
            "lanediff lint race.json --product atlas-training");
  EXPECT_EQ(Lanediff("lint race.json --sarif no/such/o.sarif").status, 1);
}

TEST_F(LintReports, SavesWhatShowsEachFindingAlone) {
  Spill(In("three.json"),
        LintCase(kLintCopyIn + R"(, {"op": "PipeBarrier", "pipe": "V"},
                 {"op": "SetFlag", "event": "M_V", "id": 0}, )" +
                 kLintCopyOut));
  const Result r = Lanediff("lint three.json --cases alone --json o.json");
  EXPECT_EQ(r.status, 1) << r.err;
  const Json findings =
      Json::parse(Slurp(In("o.json")))["cases"][0]["findings"];
  ASSERT_EQ(findings.size(), 2u);
  for (const Json& finding : findings) {
    const std::string file = finding.at("alone");
    const Result again = Lanediff("lint " + file + " --json again.json");
    EXPECT_EQ(again.status, 1);
    const Json there =
        Json::parse(Slurp(In("again.json")))["cases"][0]["findings"];
    ASSERT_EQ(there.size(), 1u) << again.out;
    EXPECT_EQ(there[0]["signature"], finding["signature"]);
    const Json saved = Json::parse(Slurp(In(file)));
    EXPECT_EQ(saved["origin"]["tool"], "lanediff-lint");
    EXPECT_EQ(saved["origin"]["signature"], finding["signature"]);
    EXPECT_LE(saved["program"].size(), 2u);
    const Result same = Lanediff("convert " + file + " -o same.json");
    if (same.status == 0) {
      EXPECT_EQ(Slurp(In("same.json")), Slurp(In(file))) << "canonical";
    }
  }
}

TEST_F(LintReports, BadFlagsGetALine) {
  Spill(In("event.json"),
        LintCase(R"({"op": "SetFlag", "event": "V_GPU", "id": 0})"));
  Result r = Lanediff("lint event.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.out, "malformed event.json: /program/0/event: ")) << r.out;
  Spill(In("ids.json"), LintCase(R"({"op": "SetFlag", "event": "MTE2_V",
                     "id": 9223372036854775807},
                    {"op": "WaitFlag", "event": "MTE2_V",
                     "id": 9223372036854775807})"));
  r = Lanediff("lint ids.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out,
                  "repair: id 0 instead of 9223372036854775807 in steps "
                  "0, 1\n"))
      << r.out;
  Spill(In("forever.json"),
        LintCase(R"({"op": "WaitFlag", "event": "MTE2_V", "id": 0})"));
  r = Lanediff("lint forever.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out,
                  "waits for a flag that nothing sets before it; put "
                  "SetFlag MTE2_V 0 before step 0\n"))
      << r.out;
  Spill(In("none.json"),
        LintCase(R"({"op": "PipeBarrier", "pipe": "V"})", "atlas-200-300-500"));
  r = Lanediff("lint none.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "    no change of one value takes this away\n"))
      << r.out;
}

TEST_F(LintReports, AMillionStepsAreTooLargeAFile) {
  std::string steps;
  for (int i = 0; i < 1'000'000; ++i) {
    steps += i == 0 ? R"({"op":"ResetMask"})" : R"(,{"op":"ResetMask"})";
  }
  Spill(In("million.json"), LintCase(steps));
  const Result r = Shell("ulimit -v 1048576; lanediff lint million.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.out,
                  "malformed million.json: 16777217 bytes; at most "
                  "16777216 are allowed\n"))
      << r.out.substr(0, 300);
}

TEST_F(LintReports, AsManyStepsAsAFileHoldsInAGibibyte) {
  std::string steps;
  for (int i = 0; i < 800'000; ++i) {
    steps += i == 0 ? R"({"op":"ResetMask"})" : R"(,{"op":"ResetMask"})";
  }
  Spill(In("many.json"), LintCase(steps));
  const Result r = Shell("ulimit -v 1048576; lanediff lint many.json");
  EXPECT_TRUE((r.status == 0 && Has(r.out, "looked at 800000 steps")) ||
              (r.status == 2 && Has(r.out, "not enough memory")))
      << r.status << r.out.substr(0, 300) << r.err;
}

TEST_F(LintReports, FixRefusesWhatItDoesNotDo) {
  const auto refused = [&](const std::string& arguments) {
    return Lanediff("lint --fix race.json -o x.json " + arguments).status == 2;
  };
  EXPECT_TRUE(refused("--known-issues list.json"));
  EXPECT_TRUE(refused("--cases alone"));
  EXPECT_FALSE(fs::exists(In("x.json")));
}

}  // namespace
}  // namespace lanediff::cli

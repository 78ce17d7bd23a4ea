// Known issues in `lanediff check`.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kSignature = "expectation/repeat_reduce_sum/value/half";

std::string Issue(const std::string& signature, const std::string& expires) {
  return R"({ "signature": ")" + signature +
         R"(", "reason": "the page prints 35604", "link": "page 1", )" +
         R"("expires": ")" + expires + "\" }";
}

class KnownIssues : public ProgramTest {
 protected:
  void Write(const std::string& name, const std::string& issues) const {
    Spill(In(name), R"({ "format": "lanediff-known-issues/1", "issues": [)" +
                        issues + "] }");
  }
};

TEST_F(KnownIssues, ACaseWithKnownFindingsOnlyDoesNotFail) {
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  EXPECT_EQ(Lanediff("check cases").status, 1);
  Write("cases/known_issues.json", Issue(kSignature, "9999-12-31"));
  const Result r = Lanediff("check cases --json run.json --junit run.xml");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "\nknown cases/b.json\n")) << r.out;
  EXPECT_TRUE(Has(r.out, "  known: the page prints 35604 (page 1)\n")) << r.out;
  EXPECT_TRUE(Has(r.out,
                  "1 agree, 0 disagree, 0 unsupported, 0 malformed, 1 "
                  "known;"))
      << r.out;
  const auto json = nlohmann::json::parse(Slurp(In("run.json")));
  EXPECT_EQ(json.at("summary").at("known"), 1);
  EXPECT_EQ(json.at("cases").at(1).at("verdict"), "known");
  EXPECT_EQ(json.at("cases").at(1).at("findings").at(0).at("signature"),
            kSignature);
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_file(In("run.xml").c_str()));
  const auto suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("failures").as_int(), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_EQ(suite.select_nodes("testcase/skipped").size(), 1u);
}

TEST_F(KnownIssues, OthersStillFail) {
  WriteCaseAs("b.json", "[35584]", "[35604]");
  WriteCaseAs("c.json", "\"executed\"",
              "\"rejected\", \"step\": 0, \"rules\": [\"RRS-REPEAT\"]");
  Write("list.json", Issue(kSignature, "9999-12-31"));
  const Result r = Lanediff("check b.json c.json --known-issues list.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "known b.json\n")) << r.out;
  EXPECT_TRUE(Has(r.out, "disagree c.json\n")) << r.out;
  EXPECT_TRUE(Has(
      r.out, "  signature: expectation/repeat_reduce_sum/RRS-REPEAT/half\n"))
      << r.out;
}

TEST_F(KnownIssues, OnlyAFoldersOwnListIsTakenUnasked) {
  fs::create_directories(In("cases/deeper"));
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  Write("known_issues.json", Issue(kSignature, "9999-12-31"));
  Write("cases/deeper/known_issues.json", Issue(kSignature, "9999-12-31"));
  EXPECT_EQ(Lanediff("check cases").status, 1);
  EXPECT_EQ(Lanediff("check cases/b.json").status, 1);
  EXPECT_EQ(
      Lanediff("check cases/b.json --known-issues known_issues.json").status,
      0);
}

TEST_F(KnownIssues, AnExpiredOneFailsTheRun) {
  WriteCaseAs("b.json", "[35584]", "[35604]");
  Write("list.json", Issue(kSignature, "2020-02-29"));
  const Result r = Lanediff(
      "check b.json --known-issues list.json --json run.json --junit run.xml");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "known issue: list.json: " + kSignature +
                             " expired: accepted until 2020-02-29, today is "
                             "2"))
      << r.out;
  const auto json = nlohmann::json::parse(Slurp(In("run.json")));
  EXPECT_EQ(json.at("staleKnownIssues").size(), 1u);
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_file(In("run.xml").c_str()));
  const auto suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.select_nodes("testcase/failure").size(), 1u);
}

TEST_F(KnownIssues, OneThatDidNotOccurFailsTheRun) {
  WriteCaseAs("a.json");
  Write("list.json", Issue(kSignature, "9999-12-31"));
  const Result r = Lanediff("check a.json --known-issues list.json");
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out, "known issue: list.json: " + kSignature +
                             " did not occur in this run;"))
      << r.out;
}

TEST_F(KnownIssues, ABadListIs2BeforeAnythingRuns) {
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  Write("cases/known_issues.json", Issue(kSignature, "2026-02-30"));
  Result r = Lanediff("check cases");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err,
            "lanediff: cases/known_issues.json: /issues/0/expires: found "
            "\"2026-02-30\"; a day of the calendar, YYYY-MM-DD, is allowed\n");
  r = Lanediff("check cases --known-issues none.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "lanediff: none.json: can't be read: No such file or directory\n");
}

}  // namespace
}  // namespace lanediff::cli::test

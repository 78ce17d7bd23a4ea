// What printers make of programs that lint looked at: valid, and nothing of
// what was found is left out.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <utility>

#include "reports/lint.h"
#include "reports/printable.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"
#include "sanitizer/repair.h"

namespace lanediff::reports::test {
namespace {

using Json = nlohmann::json;

using lint::test::CaseOf;

constexpr const char* kLintSchema = "lint.schema.json";

LintedCase LintedOf(const std::string& name, const Case& c) {
  LintedCase linted;
  linted.path = name + ".json";
  linted.id = name;
  linted.product = c.product;
  for (const isa::Step& step : c.program) {
    linted.ops.push_back(isa::OpName(step));
  }
  linted.verdict = lint::Lint(c);
  linted.diagnoses = lint::Diagnose(c, linted.verdict);
  linted.hazard_repairs = lint::FindHazardRepairs(c, linted.verdict);
  linted.findings = FindingsOf(linted, c.program);
  linted.reproduce = "lanediff lint " + linted.path;
  return linted;
}

LintedCase LintedOf(const std::string& name, const char* program) {
  return LintedOf(name, CaseOf(program));
}

/// A race, a rejected step before a race, a flag that is not there, a program
/// without "sync", one that ends in counter mode, and a clean one.
LintRecord SampleLint() {
  LintRecord record;
  record.cases.push_back(
      LintedOf("<race> & \"x\"", "IN 0 0 256; MIN 1024 0 0 256"));
  record.cases.back().lines = {7, 11};
  record.cases.push_back(
      LintedOf("rejected", "MINR 1024 0 0 256; IN 0 0 256; MIN 1024 0 0 256"));
  record.cases.push_back(
      LintedOf("flag", "+M_V 0; -M_V 0; +MTE2_V 9; -MTE2_V 9; |S"));
  Case silent = CaseOf("MIN 1024 0 0 256");
  silent.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised =
      false;
  silent.lint.sync.reset();
  record.cases.push_back(LintedOf("silent", silent));
  record.cases.push_back(LintedOf("counter", "COUNT; RRS 1024 0 64"));
  record.cases.push_back(LintedOf("clean", "IN 0 0 256"));
  for (LintFinding& finding : record.cases[2].findings) {
    if (finding.step == 0) finding.known = "accepted (https://example.org/1)";
  }
  record.malformed.push_back({"bad.json", "/product: found \"x\""});
  record.stale_issues.push_back("list.json: lint/min/SYNC-RAW/half expired");
  return record;
}

std::size_t FindingsIn(const LintRecord& record) {
  std::size_t count = 0;
  for (const LintedCase& linted : record.cases) count += linted.findings.size();
  return count;
}

TEST(LintText, OnePairThatOrdersBothStandsThereOnce) {
  const LintedCase linted =
      LintedOf("x",
               "IN 0 0 256; IN 512 512 256; MIN 1024 0 512 256; "
               "MIN 2048 0 512 256; +MTE2_V 99");
  const std::string text = LintText(linted, 0);
  const std::string put =
      "; put SetFlag MTE2_V 0 behind step 1 and WaitFlag MTE2_V 0 before step "
      "2\n";
  const auto at = text.find(put);
  EXPECT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(put, at + 1), std::string::npos) << text;
  EXPECT_NE(
      text.find("; the pair from step 1 to step 2 orders these as well\n", at),
      std::string::npos)
      << text;
  EXPECT_TRUE(Has(
      text,
      "names a flag that the product does not have; ids 0 to 7 are allowed\n"));
}

TEST(LintText, TheRepairStandsInThePlaceOfTheMissingCalls) {
  const LintedCase linted =
      LintedOf("x", "+MTE2_V 9; -MTE2_V 9; IN 0 0 256; OUT 8448 0 256");
  const std::string text = LintText(linted, 0);
  EXPECT_TRUE(Has(text,
                  "ids 0 to 7 are allowed\n    repair: id 0 instead of 9 in "
                  "steps 0, 1\n"));
  EXPECT_TRUE(Has(text, "put SetFlag MTE2_MTE3 0 behind step 2"));
  EXPECT_TRUE(Has(linted.findings[0].message, "; repair: id 0 instead of 9"));
}

TEST(LintText, ReservedFlagsAreNotesAndNoFindings) {
  LintRecord record;
  record.cases.push_back(
      LintedOf("x", "IN 0 0 256; +MTE2_V 7; -MTE2_V 7; MIN 1024 0 0 256"));
  EXPECT_TRUE(record.cases[0].clean());
  EXPECT_TRUE(record.cases[0].findings.empty());
  const std::string text = LintText(record.cases[0], 0);
  EXPECT_TRUE(Has(text, "  note: SYNC-FLAG-RESERVED: steps 1, 2: "));
  EXPECT_EQ(Json::parse(LintJson(record))["cases"][0]["notes"],
            Json::parse(R"([{"rule": "MIN-CLOBBERS-MASK", "steps": [3]},
                    {"rule": "SYNC-FLAG-RESERVED", "steps": [1, 2]}])"));
  EXPECT_TRUE(FitsSchema(LintJson(record), kLintSchema));
}

TEST(LintText, TheSummaryCountsHazardsAndPrograms) {
  LintRecord record;
  record.cases.push_back(
      LintedOf("two", "IN 0 0 256; MIN 1024 0 0 256; OUT 8192 1024 256"));
  record.cases.push_back(LintedOf("rejected", "MINR 1024 0 0 256"));
  record.cases.push_back(LintedOf("clean", "IN 0 0 256"));
  EXPECT_TRUE(
      Has(LintSummary(record),
          "linted 3 programs: 1 clean, 2 hazards in 1 program, 1 program "
          "rejected at a step, 0 unsupported; 0 files malformed; "));
}

TEST(LintJsonTest, HasThePlaceOfEachCall) {
  LintRecord record;
  record.cases.push_back(LintedOf("x",
                                  "IN 0 0 256; MIN 1024 0 0 256; +MTE2_V "
                                  "1; +MTE2_V 1; -MTE2_V 1; COUNT"));
  const Json hazards = Json::parse(LintJson(record))["cases"][0]["hazards"];
  ASSERT_EQ(hazards.size(), 3u);
  EXPECT_EQ(hazards[0]["fixAt"],
            Json::parse(R"([{"behind": 0}, {"before": 1}])"));
  EXPECT_EQ(hazards[1]["fixAt"], Json::parse(R"([{"before": 3}])"));
  EXPECT_EQ(hazards[2]["fixAt"], Json::parse(R"([{"behind": 5}])"));
}

TEST(LintJsonTest, FitsItsSchema) {
  EXPECT_TRUE(FitsSchema(LintJson({}), kLintSchema));
  EXPECT_TRUE(FitsSchema(LintJson(SampleLint()), kLintSchema));
}

TEST(LintJsonTest, OpensWithOneSentenceAndWhatWasNotLookedAt) {
  const Json json = Json::parse(LintJson(SampleLint()));
  const std::string sentence = json["headline"]["sentence"];
  EXPECT_EQ(sentence.find("8 findings in 5 of 6 programs; NOT looked at: 1 "
                          "file that is no case; "),
            0u)
      << sentence;
  EXPECT_TRUE(Has(sentence, "races in 1 program without \"sync\""));
  EXPECT_EQ(json["headline"]["tone"], "bad");
  EXPECT_EQ(json["groups"].size(), 8u);
  EXPECT_EQ(json["groups"][0]["group"], "legality") << "worst first";
  EXPECT_EQ(json["groups"].back()["group"], "maskcheck");
  for (const Json& group : json["groups"]) {
    EXPECT_NE(group["signature"], "lint/set_flag/SYNC-FLAG-PIPE/none")
        << "an accepted one is no finding";
  }
}

TEST(LintJsonTest, HasRepairsOfHazards) {
  const Json hazards =
      Json::parse(LintJson(SampleLint()))["cases"][2]["hazards"];
  EXPECT_EQ(hazards[2]["rule"], "SYNC-FLAG-ID");
  EXPECT_EQ(hazards[2]["repair"]["changes"],
            Json::parse(R"([{"step": 2, "field": "id", "from": 9, "to": 0},
                            {"step": 3, "field": "id", "from": 9, "to": 0}])"));
}

TEST(LintJunitTest, IsValidAndCountsPrograms) {
  const std::string text = ToJunit(ToReport(SampleLint(), 1));
  EXPECT_TRUE(FitsJunit(text));
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(text.c_str()));
  const auto suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 9);
  EXPECT_EQ(suite.attribute("failures").as_int(), 6) << "and the stale issue";
  EXPECT_EQ(suite.attribute("errors").as_int(), 2) << "no case; unsupported";
  const auto failure = suite.child("testcase").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "lint/min/SYNC-RAW/half");
  EXPECT_TRUE(
      Has(std::string(failure.text().get()), "reproduce: lanediff lint"));
}

TEST(LintJunitTest, WhatIsKnownOrUnsupportedIsSkipped) {
  LintRecord record = SampleLint();
  for (LintFinding& finding : record.cases[0].findings) finding.known = "why";
  record.cases[4].findings.clear();
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(ToJunit(ToReport(record, 1)).c_str()));
  const auto skipped = xml.select_nodes("//testcase/skipped");
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_EQ(std::string(skipped[0].node().text().get()).find("known: why"), 0u);
  EXPECT_STREQ(skipped[1].node().text().get(),
               "unsupported: step 1 RepeatReduceSum");
}

TEST(LintSarifTest, IsValidAndHasEveryFindingAtItsStep) {
  const LintRecord record = SampleLint();
  const Json run = SarifRun(ToSarif(ToReport(record, 1)));
  const Json& results = run["results"];
  EXPECT_EQ(results.size(), FindingsIn(record) + 1) << "and the stale issue";
  ExpectAt(results[0], {{"/ruleId", "SYNC-RAW"},
                        {"/level", "error"},
                        {"/locations/0/physicalLocation/region/startLine", 11},
                        {"/locations/0/logicalLocations/0/fullyQualifiedName",
                         "Min/step 1/src0"}});
  const Json& rule = run["tool"]["driver"]["rules"]
                        [results[0]["ruleIndex"].get<std::size_t>()];
  EXPECT_EQ(rule["id"], "SYNC-RAW");
  EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  std::size_t suppressed = 0;
  for (const Json& result : results) {
    suppressed += result.contains("suppressions") ? 1 : 0;
  }
  EXPECT_EQ(suppressed, 1u);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 2u);
}

TEST(LintHtmlTest, HasEveryFindingAndProgramAndEndsNoElement) {
  LintRecord record = SampleLint();
  record.cases[1].product = isa::Product::kAtlasTraining;
  record.cases[0].findings[0].alone = "alone/race.json";
  LintedCase again = record.cases[0];
  again.product = isa::Product::kAtlasTraining;
  record.cases.push_back(std::move(again));
  const std::string page = ToMarkup(ToReport(record, 1));
  EXPECT_FALSE(Has(page, "<race>"));
  EXPECT_TRUE(Has(page, "8 findings in 6 of 7 programs; NOT looked at: "));
  for (const LintGroup& group : GroupsOf(record)) {
    EXPECT_TRUE(Has(page, HtmlText(group.finding->message)));
    EXPECT_TRUE(Has(page, group.signature));
  }
  for (const char* part :
       {"found &lt;race&gt; &amp; &quot;x&quot;.json on atlas-a2",
        "step 0 Min is rejected: ", "repair: ",
        "alone: SYNC-RAW at step 1: alone/race.json",
        "known: ", "races were not looked for", "<h2>By product</h2>",
        "data-label=\"atlas-training\">1 hazard</td>"}) {
    EXPECT_TRUE(Has(page, part)) << part;
  }
}

TEST(LintFindingsTest, SeveralProductsAreProgramsOfTheirOwn) {
  LintRecord record;
  for (const auto product :
       {isa::Product::kAtlasA2, isa::Product::kAtlasTraining}) {
    Case c = CaseOf("+MTE2_V 5; -MTE2_V 5");
    c.product = product;
    record.cases.push_back(LintedOf("two", c));
  }
  EXPECT_TRUE(record.cases[0].findings.empty());
  EXPECT_EQ(record.cases[1].findings.size(), 2u);
  const auto groups = GroupsOf(record);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].cases, 1u);
  EXPECT_EQ(groups[0].example->product, isa::Product::kAtlasTraining);
}

}  // namespace
}  // namespace lanediff::reports::test

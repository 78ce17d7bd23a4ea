// SARIF is valid by the official schema, leaves no finding out, and
// describes each.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/catalogue.h"
#include "reports/audit.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kSchema = "third_party/sarif-2.1.0-rtm.5.json";

Json WithFingerprint(const Json& run, const std::string& name,
                     const std::string& value) {
  for (const Json& result : run.at("results")) {
    const auto prints = result.find("partialFingerprints");
    if (prints != result.end() && prints->value(name, "") == value) {
      return result;
    }
  }
  ADD_FAILURE() << "no result of " << name << " " << value;
  return {};
}

TEST(RunSarifTest, IsValidAndHasEveryFinding) {
  const Json run = SarifRun(ToSarif(ToReport(SampleRun(), 1)));
  ASSERT_EQ(run["results"].size(), 4u) << "three findings, a stale issue";
  ExpectAt(
      run["results"],
      {{"/0/ruleId", "LANEDIFF-MEMORY"},
       {"/0/level", "error"},
       // Neither a placeholder nor a link.
       {"/0/message/text",
        "emulator against oracle: UB byte 0: expected <1> & \"{{2}}\", found "
        "[3] (4)"},
       {"/0/locations/0/physicalLocation/artifactLocation",
        {{"uri", "b%20c%25%3C%C3%A9%3E.json"}, {"uriBaseId", "%SRCROOT%"}}},
       {"/0/locations/0/logicalLocations/0/fullyQualifiedName",
        "RepeatReduceSum"},
       {"/0/partialFingerprints",
        {{"lanediffSignature/v1", "memory/repeat_reduce_sum/value/half"},
         {"lanediffCase/v1", "b c%<é>"}}},
       {"/0/properties/reproduce", "lanediff check x.json"},
       {"/1/ruleId", "MIN-DTYPE"},  // which the finding names
       {"/2/suppressions/0/justification", "accepted (https://example.org/17)"},
       {"/3/ruleId", "LANEDIFF-KNOWN-ISSUE"}});
  for (const Json& result : run["results"]) {
    EXPECT_FALSE(result.contains("baselineState")) << "there is no baseline";
  }
}

TEST(RunSarifTest, RulesAreTheCatalogueInItsOrder) {
  const Json run = SarifRun(ToSarif(ToReport(SampleRun(), 0)));
  const Json& rules = run["tool"]["driver"]["rules"];
  const auto catalogue = isa::Catalogue();
  ASSERT_GT(rules.size(), catalogue.size());
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    const isa::Rule& rule = catalogue[i];
    EXPECT_EQ(rules[i]["id"], rule.id.text());
    EXPECT_EQ(rules[i]["shortDescription"]["text"], rule.statement);
    EXPECT_EQ(rules[i]["properties"]["effect"], isa::Name(rule.effect));
    EXPECT_EQ(rules[i]["defaultConfiguration"]["level"],
              rule.effect == isa::Effect::kNote ? "warning" : "error");
    const std::string help = rules[i]["help"]["text"];
    for (const isa::Source& source : rule.sources) {
      EXPECT_TRUE(Has(help, source.document));
    }
    const std::string uri = rules[i].value("helpUri", "https://");
    EXPECT_TRUE(uri.starts_with("https://")) << uri;
    EXPECT_TRUE(
        std::ranges::all_of(uri, [](char c) { return '!' <= c && c <= '~'; }));
    EXPECT_TRUE(rule.id.text() != "MIN-DTYPE" || uri.ends_with("_0040.html"));
  }
}

TEST(RunSarifTest, ReportsHowItEnded) {
  const Json run = SarifRun(ToSarif(ToReport(SampleRun(), 2)));
  const Json& invocation = run["invocations"][0];
  ASSERT_EQ(invocation["toolExecutionNotifications"].size(), 2u)
      << "a malformed case and a fuzz program";
  const std::string note = "/toolExecutionNotifications/0/";
  ExpectAt(invocation,
           {{"/executionSuccessful", false},
            {"/exitCode", 2},
            {note + "message/text", "/abs/m.json: /product: found \"x\""},
            {note + "locations/0/physicalLocation/artifactLocation",
             Json::parse(R"({"uri": "file:///abs/m.json"})")}});
  RunRecord record = SampleRun();
  std::erase_if(record.cases, [](const CaseRecord& c) {
    return c.verdict == Verdict::kMalformed;
  });
  record.fuzzers.clear();
  const Json worked = SarifRun(ToSarif(ToReport(record, 1)));
  EXPECT_EQ(worked["invocations"][0]["executionSuccessful"], true)
      << "it did its work and found something";
}

TEST(RunSarifTest, ABaselineGivesEachResultAState) {
  RunRecord record = SampleRun();
  const auto& b = record.cases[1];
  RunChanges changes{.file = "old.json", .target = "emulator"};
  changes.fresh = {
      {.key = {b.id, b.findings[0].signature}, .path = b.path, .message = "m"}};
  changes.updated = {
      {.key = {b.id, b.findings[1].signature}, .path = b.path, .message = "m"}};
  changes.gone = {{ChangedFinding{.key = {"z", "outcome/min/MIN-DTYPE/half"},
                                  .path = "z.json",
                                  .message = "was <wrong>"}}};
  record.changes = changes;
  const Json run = SarifRun(ToSarif(ToReport(record, 1)));
  const Json& results = run["results"];
  ASSERT_EQ(results.size(), 5u);
  ExpectAt(results, {{"/0/baselineState", "new"},
                     {"/1/baselineState", "updated"},
                     {"/2/baselineState", "unchanged"},
                     {"/4/baselineState", "absent"},
                     {"/4/ruleId", "MIN-DTYPE"},
                     {"/4/message/text", "was <wrong>"}});
}

TEST(AuditSarifTest, IsValidAndHasEveryCellThatIsToBeLookedAt) {
  const Json run = SarifRun(ToSarif(ToReport(SampleAudit(), 1)));
  ASSERT_EQ(run["results"].size(), 4u);
  ExpectAt(WithFingerprint(run, "lanediffCell/v1", "RRS-REPEAT/atlas-a2"),
           {{"/ruleId", "RRS-REPEAT"},
            {"/level", "error"},
            {"/message/text",
             "RRS-REPEAT is violated on atlas-a2: breaks, repeat 256: ran "
             "otherwise: UB byte 0: expected <1> & \"2\", found 3"},
            {"/partialFingerprints/lanediffSignature~1v1",
             "outcome/repeat_reduce_sum/RRS-REPEAT/half"},
            {"/locations/0/physicalLocation/artifactLocation/uri",
             "cases/rrs-repeat/a2-256.json"},
            {"/locations/0/logicalLocations/1/fullyQualifiedName",
             "RepeatReduceSum/RRS-REPEAT/atlas-a2"}});
  const auto level = [&](const char* name, const char* value) {
    return WithFingerprint(run, name, value).at("level");
  };
  EXPECT_EQ(level("lanediffCell/v1", "RRS-TREE/atlas-a2"), "error");
  EXPECT_EQ(level("lanediffCell/v1", "MIN-PRODUCT/atlas-a3"), "note");
  EXPECT_EQ(level("lanediffDisagreement/v1", "printed-35604"), "note");
}

TEST(AuditSarifTest, EachBadPieceOfEvidenceIsAResult) {
  auto record = SampleAudit();
  auto& evidence = record.rules[0].cells[1].evidence;
  evidence.push_back(evidence[0]);
  EXPECT_EQ(SarifRun(ToSarif(ToReport(record, 1)))["results"].size(), 5u);
  evidence.clear();
  EXPECT_EQ(SarifRun(ToSarif(ToReport(record, 1)))["results"].size(), 4u)
      << "a violated cell is reported even where no case was saved";
}

TEST(AuditSarifTest, ABaselineGivesEachResultAState) {
  using audit::Follows;
  using audit::Verdict;
  AuditChanges changes{.file = "old.json", .target = "emulator"};
  changes.cells = {{.rule = "RRS-REPEAT",
                    .product = isa::Product::kAtlasA2,
                    .before = Verdict::kEnforced,
                    .now = Verdict::kViolated},
                   {.rule = "MIN-PRODUCT",
                    .product = isa::Product::kAtlasA3,
                    .before = Verdict::kViolated,
                    .now = Verdict::kTolerated},
                   {.rule = "RRS-TREE",
                    .product = isa::Product::kAtlasTraining,
                    .before = Verdict::kContradicted,
                    .now = Verdict::kConfirmed},
                   {.rule = "GONE-RULE", .before = Verdict::kViolated}};
  changes.readings = {{.id = "printed-35604",
                       .before = Follows::kOther,
                       .now = Follows::kChosen}};
  const Json run = SarifRun(ToSarif(ToReport(SampleAudit(), 1, &changes)));
  const auto state = [&](const char* name, const char* value) {
    return WithFingerprint(run, name, value).value("baselineState", "");
  };
  EXPECT_EQ(state("lanediffCell/v1", "RRS-REPEAT/atlas-a2"), "new");
  EXPECT_EQ(state("lanediffCell/v1", "RRS-TREE/atlas-a2"), "unchanged");
  EXPECT_EQ(state("lanediffCell/v1", "MIN-PRODUCT/atlas-a3"), "updated");
  EXPECT_EQ(state("lanediffCell/v1", "RRS-TREE/atlas-training"), "absent");
  EXPECT_EQ(state("lanediffDisagreement/v1", "printed-35604"), "updated");
  EXPECT_EQ(run["results"].size(), 5u);
}

TEST(SarifTest, TheOfficialSchemaObjects) {
  ExpectSchemaHolds(ToSarif(ToReport(SampleAudit(), 1)), kSchema,
                    {{"\"level\": \"note\"", "\"level\": \"fatal\""},
                     {"\"ruleIndex\": ", "\"ruleIndex\": -"}});
}

}  // namespace
}  // namespace lanediff::reports::test

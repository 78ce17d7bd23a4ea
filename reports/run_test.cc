// What the printers of check, fuzz, sweep and mutants write is valid, and the
// schemas object to what is not.

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "reports/lint.h"
#include "reports/mutant_record.h"
#include "reports/printers.h"
#include "reports/run_testing.h"
#include "reports/sarif.h"
#include "reports/schema_testing.h"
#include "reports/target_text.h"

namespace lanediff::reports::test {
namespace {

using Row = std::pair<std::string, std::string>;

RunChanges SampleChanges() {
  const ChangedFinding one{
      .key = {"b", "memory/min/value/half"}, .path = "b.json", .message = "m"};
  return {.file = "old.json",
          .target = "emulator",
          .fresh = {one},
          .gone = {{one}},
          .updated = {one},
          .unchanged = 2};
}

RunRecord EmptyRun() {
  RunRecord run;
  run.verb = "fuzz";
  run.target = "emulator";
  run.vectors = "sse4";
  run.reference = "oracle";
  return run;
}

TEST(RunJsonTest, IsValid) {
  RunRecord run = SampleRun();
  EXPECT_TRUE(FitsSchema(RunJson(run), "run.schema.json"));
  run.changes = SampleChanges();
  EXPECT_TRUE(FitsSchema(RunJson(run), "run.schema.json"));
  EXPECT_TRUE(FitsSchema(RunJson(EmptyRun()), "run.schema.json"));
}

TEST(RunJsonTest, TheSchemaObjects) {
  RunRecord run = SampleRun();
  run.changes = SampleChanges();
  const std::string good = RunJson(run);
  const Row rows[] = {
      {"lanediff-run/1", "lanediff-run/2"},
      {"\"verb\": \"check\"", "\"verb\": \"mutants\""},
      {"\"verdict\": \"known\"", "\"verdict\": \"fine\""},
      {"\"kind\": \"memory\"", "\"kind\": \"bytes\""},
      {"\"signature\": \"memory/repeat_reduce_sum/value/half\"",
       "\"signature\": \"memory\""},
      {"\"malformed\": 1", "\"malformed\": -1"},
      {"\"agree\": ", "\"agreed\": "},
      {"\"reproduce\": ", "\"replay\": "},
      {"\"lookedAt\": true", "\"lookedAt\": 1"},
      {"\"expectedRules\"", "\"expectedRule\""},
      {"\"longRepeats\": 0", "\"longRepeats\": \"0\""},
      {"\"brokenAlone\": 4", "\"brokenAlone\": 4.5"},
      {"\"never\": \"never, because\"", "\"never\": \"\""},
  };
  for (const auto& [old, now] : rows) {
    EXPECT_FALSE(FitsSchema(Replaced(good, old, now), "run.schema.json"))
        << old << " -> " << now;
  }
}

TEST(RunJunitTest, IsValid) {
  EXPECT_TRUE(FitsJunit(RunJunit(SampleRun())));
  EXPECT_TRUE(FitsJunit(MutantsJunit(SampleMutants())));
  EXPECT_TRUE(FitsJunit(RunJunit(EmptyRun())));
}

TEST(MutantsJunitTest, NotFoundIsAFailureAndNotFinishedAnError) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(MutantsJunit(SampleMutants()).c_str()));
  const auto failures = xml.select_nodes("//failure/..");
  const auto errors = xml.select_nodes("//error/..");
  ASSERT_EQ(failures.size(), 1u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_STREQ(failures[0].node().attribute("name").value(), "min/other");
  EXPECT_STREQ(errors[0].node().attribute("name").value(), "min/late");
}

TEST(MutantsTextTest, ListsUnfinishedAndSkipped) {
  MutantsRecord record = SampleMutants();
  record.mutants.erase(record.mutants.begin() + 1);
  CheckerRecord& left_out = record.mutants[0].checkers[1];
  left_out.found_after.clear();
  left_out.left_out = true;
  const std::string text = MutantsText(record);
  for (const char* const part :
       {"MIN-DTYPE  NOT FINISHED: defect\n", "baseline: 0 of 1 found, ",
        "; 1 left out, found before; no program\n",
        "mutants of emulator (avx2): 1 of 2 found, 1 not finished in 3 s\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(RunTest, EachReportNamesTheVectors) {
  const RunRecord run = SampleRun();
  EXPECT_TRUE(
      SummaryText(run).ends_with(" of emulator (avx2) against oracle\n"));
  EXPECT_NE(RunJson(run).find("\"vectors\": \"avx2\""), std::string::npos);
  EXPECT_NE(RunSarif(run, 0).find("\"vectors\": \"avx2\""), std::string::npos);
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(RunJunit(run).c_str()));
  EXPECT_STREQ(xml.select_node("//properties/property[@name='vectors']")
                   .node()
                   .attribute("value")
                   .value(),
               "avx2");
  EXPECT_EQ(TargetText("emulator:sse4", "sse4"), "emulator:sse4");
  EXPECT_EQ(TargetText("recorded:dir", ""), "recorded:dir");
}

/// The value of property `edition`.
std::string EditionIn(const std::string& junit) {
  pugi::xml_document xml;
  EXPECT_TRUE(xml.load_string(junit.c_str()));
  return xml.select_node("//properties/property[@name='edition']")
      .node()
      .attribute("value")
      .value();
}

TEST(RunTest, EachReportNamesTheEdition) {
  RunRecord run = SampleRun();
  run.edition = "2024, 2026";
  EXPECT_TRUE(SummaryText(run).ends_with(" oracle, edition 2024, 2026\n"));
  EXPECT_NE(RunJson(run).find("\"edition\": \"2024, 2026\""),
            std::string::npos);
  EXPECT_EQ(EditionIn(RunJunit(run)), "2024, 2026");
  MutantsRecord mutants = SampleMutants();
  mutants.edition = "2024";
  EXPECT_TRUE(MutantsText(mutants).ends_with(" s, edition 2024\n"));
  EXPECT_NE(MutantsJson(mutants).find("\"edition\": \"2024\""),
            std::string::npos);
  EXPECT_EQ(EditionIn(MutantsJunit(mutants)), "2024");
  LintRecord lint;
  lint.cases.resize(2);
  lint.cases[1].edition = isa::Edition::k2024;
  EXPECT_NE(LintSummary(lint).find(", edition 2024, 2026\n"),
            std::string::npos);
  EXPECT_EQ(EditionIn(LintJunit(lint)), "2024, 2026");
}

TEST(RunJunitTest, SkippedCasesHaveAReason) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(RunJunit(SampleRun()).c_str()));
  const auto skipped = xml.select_nodes("//skipped");
  ASSERT_EQ(skipped.size(), 3u);
  EXPECT_TRUE(std::string(skipped[0].node().text().get())
                  .starts_with("known: accepted (https://example.org/17)\n"));
  EXPECT_STREQ(skipped[1].node().text().get(), "unsupported: not recorded");
  EXPECT_STREQ(skipped[2].node().text().get(),
               "tolerated t.json: executed though it breaks MIN-DTYPE; not "
               "compared\n");
}

TEST(MutantsJsonTest, IsValidAndTheSchemaObjects) {
  MutantsRecord record = SampleMutants();
  EXPECT_TRUE(FitsSchema(MutantsJson(record), "mutants.schema.json"));
  record.changes = MutantsChanges{.file = "old.json",
                                  .found = {"a"},
                                  .survived = {"b"},
                                  .added = {"c"},
                                  .gone = {"d"},
                                  .unchanged = 1};
  const std::string good = MutantsJson(record);
  EXPECT_TRUE(FitsSchema(good, "mutants.schema.json"));
  const Row rows[] = {
      {"lanediff-mutants/1", "lanediff-run/1"},
      {"\"capped\": true", "\"capped\": 1"},
      {"\"verdict\": \"not finished\"", "\"verdict\": \"survived\""},
      {"\"complete\": false", "\"complete\": 0"},
      {"\"rule\": \"MIN-DTYPE\"", "\"rule\": \"\""},
      {"[10, null]", "[10, \"never\"]"},
      {"\"survived\"", "\"lost\""},
      {"\"worstMutant\"", "\"worst mutant\""},
  };
  for (const auto& [old, now] : rows) {
    EXPECT_FALSE(FitsSchema(Replaced(good, old, now), "mutants.schema.json"))
        << old << " -> " << now;
  }
}

}  // namespace
}  // namespace lanediff::reports::test

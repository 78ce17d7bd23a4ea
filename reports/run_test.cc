// What the printers of check, fuzz, sweep, mutants and characterise write.

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "reports/character_record.h"
#include "reports/lint.h"
#include "reports/mutant_record.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/target_record.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

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
  RunRecord run = RunOf();
  run.verb = "fuzz";
  return run;
}

character::Character TwoAnswers() {
  character::Character c;
  c.target = "emulator";
  c.probes = c.executed = 12;
  character::Answer& order = c.answers.emplace_back();
  order.question = "order";
  order.instruction = "RepeatReduceSum";
  order.dtype = "half";
  order.about = "lanes";
  order.answer = "neighbours";
  order.tree = "((0 1) (2 3))";
  order.length = 4;
  order.note = "a note";
  order.probes = 7;
  order.cases.push_back({R"({"id": "t/a"})"});
  character::Answer& nan = c.answers.emplace_back();
  nan.question = "nan";
  nan.instruction = "Min";
  nan.dtype = "half";
  nan.answer = "the other one";
  return c;
}

TEST(RunJsonTest, FitsItsSchema) {
  RunRecord run = SampleRun();
  run.changes = SampleChanges();
  ExpectSchemaHolds(
      RunJson(run), "run.schema.json",
      {{"lanediff-report/2", "lanediff-report/3"},
       {R"("verb": "check")", R"("verb": "mutants")"},
       {R"("complete": false)", R"("complete": true)"},
       {R"("verdict": "known")", R"("verdict": "fine")"},
       {R"("kind": "memory")", R"("kind": "bytes")"},
       {R"("memory/repeat_reduce_sum/value/half")", R"("memory")"},
       {R"("malformed": 1)", R"("malformed": -1)"},
       {R"("agree": )", R"("agreed": )"},
       {R"("reproduce": )", R"("replay": )"},
       {R"("lookedAt": true)", R"("lookedAt": 1)"},
       {R"("expectedRules")", R"("expectedRule")"},
       {R"("longRepeats": 0)", R"("longRepeats": "0")"},
       {R"("brokenAlone": 4)", R"("brokenAlone": 4.5)"},
       {R"("never": "never, because")", R"("never": "")"}});
}

TEST(MutantsJunitTest, NotFoundIsAFailureAndNotFinishedAnError) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(ToJunit(ToReport(SampleMutants())).c_str()));
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
  const std::string text = ToText(ToReport(record));
  EXPECT_FALSE(Has(text, "\nmin/signed-zero")) << "it was found";
  EXPECT_TRUE(Has(ToText(ToReport(record), true), "\nmin/signed-zero"));
  for (const char* const part :
       {"min/late  not finished  MIN-DTYPE  ", "\n  defect\n",
        "baseline: 0 of 1 found, ", "; 1 left out, found before; no program\n",
        "mutants of emulator (avx2): 1 of 2 found, 1 not finished in 3 s\n"}) {
    EXPECT_TRUE(Has(text, part));
  }
}

/// The value of a property of a JUnit document.
std::string PropertyIn(const std::string& junit, const std::string& name) {
  pugi::xml_document xml;
  EXPECT_TRUE(xml.load_string(junit.c_str()));
  const std::string path = "//properties/property[@name='" + name + "']";
  return xml.select_node(path.c_str()).node().attribute("value").value();
}

TEST(RunTest, EachReportNamesVectorsAndEdition) {
  RunRecord run = SampleRun();
  run.edition = "2024, 2026";
  MutantsRecord mutants = SampleMutants();
  mutants.edition = "2024";
  mutants.mutants.resize(1);
  LintRecord lint;
  lint.cases.resize(2);
  lint.cases[1].edition = isa::Edition::k2024;
  const std::string junit = ToJunit(ToReport(run, 0));
  EXPECT_EQ(PropertyIn(junit, "vectors"), "avx2");
  const std::pair<std::string, std::string> rows[] = {
      {RunJson(run), "\"vectors\": \"avx2\""},
      {RunJson(run), "\"edition\": \"2024, 2026\""},
      {ToSarif(ToReport(run, 0)), "\"vectors\": \"avx2\""},
      {MutantsJson(mutants), "\"edition\": \"2024\""},
      {LintSummary(lint), ", edition 2024, 2026\n"}};
  for (const auto& [text, part] : rows) EXPECT_TRUE(Has(text, part));
  EXPECT_TRUE(SummaryText(run).ends_with(
      " of emulator (avx2) against oracle, edition 2024, 2026\n"));
  EXPECT_TRUE(ToText(ToReport(mutants)).ends_with(" s, edition 2024\n"));
  EXPECT_EQ(PropertyIn(junit, "edition"), "2024, 2026");
  EXPECT_EQ(PropertyIn(ToJunit(ToReport(mutants)), "edition"), "2024");
  EXPECT_EQ(PropertyIn(ToJunit(ToReport(lint, 0)), "edition"), "2024, 2026");
  EXPECT_EQ(TargetText("emulator:sse4", "sse4"), "emulator:sse4");
  EXPECT_EQ(TargetText("recorded:dir", ""), "recorded:dir");
}

TEST(CharacterTest, ATextHasASectionForEachQuestionAndASum) {
  EXPECT_EQ(ToText(ToReport(TwoAnswers())),
            "order\n"
            "  lanes: neighbours (4)  [RepeatReduceSum]\n"
            "nan\n"
            "  the other one  [Min]\n"
            "characterise: emulator: 2 answers, 12 probes, edition 2026\n");
}

TEST(RunJunitTest, SkippedCasesHaveAReason) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(ToJunit(ToReport(SampleRun(), 0)).c_str()));
  const auto skipped = xml.select_nodes("//skipped");
  ASSERT_EQ(skipped.size(), 3u);
  EXPECT_TRUE(std::string(skipped[0].node().text().get())
                  .starts_with("known: accepted (https://example.org/17)\n"));
  EXPECT_STREQ(skipped[1].node().text().get(), "unsupported: not recorded");
  EXPECT_STREQ(
      skipped[2].node().text().get(),
      "tolerated t.json: executed though it breaks MIN-DTYPE; not compared\n");
}

TEST(Documents, FitTheirSchemas) {
  MutantsRecord changed = SampleMutants();
  changed.changes = MutantsChanges{.file = "old.json",
                                   .found = {"a"},
                                   .survived = {"b"},
                                   .added = {"c"},
                                   .gone = {"d"},
                                   .unchanged = 1};
  const std::pair<std::string, std::string> rows[] = {
      {"run", RunJson(EmptyRun())},
      {"mutants", MutantsJson(SampleMutants())},
      {"mutants", MutantsJson(changed)},
      {"characterise", CharacterJson({.target = "t", .answers = {}})},
      {"characterise", CharacterJson(TwoAnswers())}};
  for (const auto& [kind, text] : rows) {
    EXPECT_TRUE(FitsSchema(text, kind + ".schema.json")) << kind;
  }
  for (const Report& report :
       {ToReport(SampleRun(), 0), ToReport(EmptyRun(), 0),
        ToReport(SampleMutants())}) {
    EXPECT_TRUE(FitsJunit(ToJunit(report)));
  }
}

TEST(CharacterJson, OfVersion1IsRead) {
  const std::string text = CharacterJson(TwoAnswers());
  const std::string head =
      "\"schema\": \"lanediff-report/2\",\n  \"kind\": \"characterise\"";
  EXPECT_TRUE(CharacterIn(text));
  EXPECT_TRUE(CharacterIn(
      Replaced(text, head, "\"format\": \"lanediff-character/1\"")));
  EXPECT_FALSE(CharacterIn(
      Replaced(text, head, "\"format\": \"lanediff-characterise/1\"")));
}

}  // namespace

}  // namespace lanediff::reports::test

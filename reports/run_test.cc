// What the printers of check, fuzz, sweep and mutants write is valid, and the
// schemas object to what is not.

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "reports/printers.h"
#include "reports/run_testing.h"
#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

using Row = std::pair<std::string, std::string>;

RunChanges SampleChanges() {
  const ChangedFinding one{
      .key = {"b", "memory/min/value/half"}, .path = "b.json", .message = "m"};
  return {.file = "old.json",
          .target = "emulator",
          .fresh = {one},
          .gone = {one},
          .updated = {one},
          .unchanged = 2};
}

RunRecord EmptyRun() {
  RunRecord run;
  run.verb = "fuzz";
  run.target = "emulator";
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

TEST(RunJunitTest, SkippedOnesSayWhy) {
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(RunJunit(SampleRun()).c_str()));
  const auto skipped = xml.select_nodes("//skipped");
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_TRUE(std::string(skipped[0].node().text().get())
                  .starts_with("known: accepted (https://example.org/17)\n"));
  EXPECT_STREQ(skipped[1].node().text().get(), "unsupported: not recorded");
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

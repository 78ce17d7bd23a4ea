// What a baseline is read from, what is refused, and what counts as a change.
// Audits of several targets side by side.

#include "reports/baseline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/audit.h"
#include "reports/comparison.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

namespace fs = std::filesystem;
using audit::Follows;

class Baseline : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  std::string Spill(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

  const std::string path_ = (fs::path(testing::TempDir()) /
                             ("baseline-" + std::to_string(getpid()) + ".json"))
                                .string();
};

TEST_F(Baseline, NoFileIsNoBaseline) {
  EXPECT_FALSE(ReadRunBaseline("", "check").value());
  EXPECT_FALSE(ReadAuditBaseline("").value());
  EXPECT_FALSE(ReadMutantsBaseline("").value());
}

TEST_F(Baseline, FindingsAreNewGoneAndUpdated) {
  RunRecord run = SampleRun();
  const auto before = ReadRunBaseline(Spill(RunJson(run)), "check");
  ASSERT_TRUE(before) << before.error();
  run.cases[0].findings = {run.cases[1].findings[0]};  // a.json
  run.cases[1].findings[0].message = "another value";
  run.cases[1].findings.pop_back();
  run.cases.erase(run.cases.begin() + 2);  // known.json
  const RunChanges changes = ChangesSince(**before, run);
  ASSERT_EQ(changes.updated.size(), 1u);
  EXPECT_EQ(changes.updated[0].message, "another value");
  EXPECT_EQ(
      ToText(ChangesSection(changes)),
      "new a.json memory/repeat_reduce_sum/value/half\n"
      "gone b c%<é>.json rules/min/MIN-DTYPE/half\n"
      "gone known.json memory/repeat_reduce_sum/value/half (its case was not "
      "run)\n"
      "updated b c%<é>.json memory/repeat_reduce_sum/value/half\n"
      "against " +
          path_ +
          " of emulator: 1 findings new, 2 gone, 1 updated, 0 unchanged\n");
}

TEST_F(Baseline, VerdictsAndReadingsThatChanged) {
  auto audit = SampleAudit();
  const auto before = ReadAuditBaseline(Spill(AuditJson(audit)));
  ASSERT_TRUE(before) << before.error();
  audit.rules[0].cells[1].verdict = audit::Verdict::kEnforced;
  audit.rules[2].cells[0].product = isa::Product::kAtlasA2;
  audit.disagreements[0].follows = Follows::kOther;
  const AuditChanges changes = ChangesSince(**before, audit);
  EXPECT_EQ(
      ToText(ChangesSection(changes)),
      "changed RRS-REPEAT on atlas-a2: violated before, enforced now\n"
      "changed MIN-PRODUCT on atlas-a2: not there before, tolerated now\n"
      "changed MIN-PRODUCT on atlas-a3: tolerated before, not there now\n"
      "changed disagreement printed-35604: chosen before, other now\n"
      "against " +
          path_ +
          " of mutant:x: 3 verdicts and 1 readings changed, 4 unchanged\n");
  EXPECT_TRUE(FitsSchema(AuditJson(audit, &changes), "audit.schema.json"));
  EXPECT_TRUE(Has(AuditText(audit, &changes), ToText(ChangesSection(changes))));
}

TEST_F(Baseline, MutantsFoundBeforeAndNow) {
  MutantsRecord record = SampleMutants();
  const auto before = ReadMutantsBaseline(Spill(MutantsJson(record)));
  ASSERT_TRUE(before) << before.error();
  std::swap(record.mutants[0].checkers, record.mutants[1].checkers);
  record.mutants.push_back(record.mutants[0]);
  record.mutants.back().name = "min/third";
  const MutantsChanges changes = ChangesSince(**before, record);
  EXPECT_EQ(changes.found, std::vector<std::string>{"min/other"});
  EXPECT_EQ(changes.survived, std::vector<std::string>{"min/signed-zero"});
  EXPECT_EQ(changes.added, std::vector<std::string>{"min/third"});
  record.mutants.erase(record.mutants.begin());
  EXPECT_EQ(ChangesSince(**before, record).gone,
            std::vector<std::string>{"min/signed-zero"});
}

TEST_F(Baseline, AMutantWhoseHuntWasNotFinishedIsNotHunted) {
  MutantsRecord record = SampleMutants();
  MutantRecord& late = record.mutants[2];
  ASSERT_EQ(late.verdict(), MutantVerdict::kNotFinished);
  const auto before = ReadMutantsBaseline(Spill(MutantsJson(record)));
  ASSERT_TRUE(before) << before.error();
  late.checkers.pop_back();
  EXPECT_EQ(ChangesSince(**before, record).added,
            std::vector<std::string>{"min/late"});
  const auto found = ReadMutantsBaseline(Spill(MutantsJson(record)));
  late = SampleMutants().mutants[2];
  const MutantsChanges changes = ChangesSince(**found, record);
  EXPECT_EQ(changes.gone, std::vector<std::string>{"min/late"});
  EXPECT_TRUE(changes.survived.empty());
}

TEST_F(Baseline, OfVersion1IsRead) {
  const auto run = ReadRunBaseline(OlderDocument("run.json"), "check");
  ASSERT_TRUE(run) << run.error();
  const std::string signature = "rules/min/MIN-BOUNDS/half/mask";
  const FindingKey key = {"min/repeat-256-rejected", signature};
  EXPECT_EQ((*run)->target, "mutant:min-repeat-256-accepted");
  EXPECT_EQ((*run)->signatures.at(signature), std::set{key.id});
  EXPECT_EQ((*run)->findings.at(key).path,
            "corpus/min/repeat-256-rejected.json");
  const auto audit = ReadAuditBaseline(OlderDocument("audit.json"));
  ASSERT_TRUE(audit) << audit.error();
  EXPECT_EQ((*audit)->cells.at({"MIN-DTYPE", isa::Product::kAtlasA2}),
            audit::Verdict::kEnforced);
  EXPECT_EQ((*audit)->readings.at("DOC-SUBNORMALS"), Follows::kChosen);
  const auto mutants = ReadMutantsBaseline(OlderDocument("mutants.json"));
  ASSERT_TRUE(mutants) << mutants.error();
  EXPECT_TRUE((*mutants)->found.at("min-repeat-256-accepted"));
  EXPECT_TRUE(Has(ReadMutantsBaseline(OlderDocument("run.json")).error(),
                  "/format: found \"lanediff-run/1\"; "
                  "\"lanediff-mutants/1\" is allowed"));
}

// Documents of another kind, verb or version: Reports of the program.
TEST_F(Baseline, WhatIsNoneIsRefusedInOneLine) {
  const std::string run = RunJson(SampleRun());
  const Rows rows = {
      {"", "the file is empty"},
      {"[]", "found an array; an object is allowed"},
      {Replaced(run, "\"path\": \"a.json\"", "\"path\": 1"),
       "/cases/0/path: found 1; a string is allowed"},
      {Replaced(run, "\"message\"", "\"msg\""),
       "/cases/1/findings/0: the field \"message\" is missing"},
  };
  for (const auto& [text, message] : rows) {
    const auto read = ReadRunBaseline(Spill(text), "check");
    ASSERT_FALSE(read) << message;
    EXPECT_TRUE(read.error().starts_with("--baseline: " + path_ + ": "))
        << read.error();
    EXPECT_TRUE(Has(read.error(), message));
    EXPECT_FALSE(Has(read.error(), "\n"));
  }
  const auto audit = ReadAuditBaseline(
      Spill(Replaced(AuditJson(SampleAudit()), "\"product\": \"atlas-a2\"",
                     "\"product\": \"atlas-training\"")));
  ASSERT_FALSE(audit);
  EXPECT_TRUE(Has(
      audit.error(),
      "/rules/0/cells/1: RRS-REPEAT on atlas-training stands there once more"));
  EXPECT_TRUE(Has(ReadMutantsBaseline("/nonexistent").error(), "not found"));
}

using Words = std::vector<std::string>;

/// An audit of one rule on one product and of two disagreements.
audit::AuditRecord AuditOf(audit::Verdict verdict, Follows follows,
                           bool claimed = true) {
  audit::AuditRecord record = SampleAudit();
  audit::Cell cell;
  cell.product = isa::Product::kAtlasA2;
  cell.verdict = verdict;
  cell.claimed = claimed;
  record.rules = {{.rule = isa::FindRule("MIN-VALUE"),
                   .verdict = verdict,
                   .cells = {cell}}};
  auto& places = record.disagreements;
  places.front().follows = follows;
  places.push_back(places.front());
  places[0].id = "DOC-RARE";
  places[0].differ = 3;
  places[1].id = "DOC-COMMON";
  places[1].differ = 40;
  return record;
}

/// The record of two targets, "a" and "b", with these documents.
ComparisonRecord Compared(const std::string& a, const std::string& b) {
  return ComparisonOf({{"a", "a", 0, ""}, {"b", "b", 1, ""}}, {a, b});
}

TEST(Comparison, HasEachVerdictAndReadingOfEachTarget) {
  const auto good = AuditOf(audit::Verdict::kConfirmed, Follows::kChosen);
  const auto bad = AuditOf(audit::Verdict::kContradicted, Follows::kOther);
  const auto record = Compared(AuditJson(good), AuditJson(bad));
  EXPECT_TRUE(record.reasons.empty());
  ASSERT_EQ(record.rules.size(), 1u);
  EXPECT_EQ(record.rules[0].cells[0].verdicts,
            (Words{"confirmed", "contradicted"}));
  ASSERT_EQ(record.disagreements.size(), 2u);
  EXPECT_EQ(record.disagreements[0].id, "DOC-COMMON");
  EXPECT_EQ(record.disagreements[0].Documents(), Words{"RepeatReduceSum"});
  EXPECT_EQ(record.disagreements[1].follows, (Words{"chosen", "other"}));
  const auto sentence = [](const audit::AuditRecord& audit) {
    return HeadlineOf(audit, GroupsOf(audit, nullptr), nullptr).sentence + "\n";
  };
  EXPECT_EQ(ComparisonText(record),
            "a: status 0: " + sentence(good) + "b: status 1: " + sentence(bad) +
                "MIN-VALUE on a2: confirmed | contradicted\n"
                "DOC-COMMON, 40 legal calls differ: chosen | other\n"
                "DOC-RARE, 3 legal calls differ: chosen | other\n"
                "the targets differ in 1 of 1 verdict and 2 of 2 readings\n");
  EXPECT_TRUE(FitsSchema(ComparisonJson(record), "comparison.schema.json"));
  EXPECT_NE(ComparisonHtml(record).find("\"comparison\":"), std::string::npos);
}

TEST(Comparison, HasWhatTheDocumentsStateOfEachRuleAndReading) {
  const auto audit = AuditOf(audit::Verdict::kConfirmed, Follows::kChosen);
  const auto record = Compared(AuditJson(audit), "");
  EXPECT_EQ(record.documents.size(), CitedDocuments().size());
  const isa::Rule& rule = *audit.rules[0].rule;
  ASSERT_EQ(record.rules[0].sources.size(), rule.sources.size());
  for (std::size_t i = 0; i < rule.sources.size(); ++i) {
    EXPECT_EQ(record.rules[0].sources[i].quote, rule.sources[i].quote);
    EXPECT_EQ(record.rules[0].sources[i].document, rule.sources[i].document);
  }
  const auto& readings = record.disagreements[0].readings;
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_EQ(readings[0].silent, Words{"RepeatReduceSum"});
  EXPECT_EQ(readings[1].quote, "35604");
  EXPECT_EQ(readings[1].citations[0].section, "调用示例");
}

TEST(Comparison, OfManyDifferencesSomeAreListed) {
  auto good = AuditOf(audit::Verdict::kConfirmed, Follows::kChosen);
  for (int i = 0; i < 12; ++i) {
    good.disagreements.push_back(good.disagreements[0]);
    good.disagreements.back().id = "DOC-" + std::to_string(i);
  }
  auto bad = good;
  for (auto& place : bad.disagreements) place.follows = Follows::kNeither;
  const auto record = Compared(AuditJson(good), AuditJson(bad));
  EXPECT_TRUE(Has(ComparisonText(record), "… and 4 more\n"));
  EXPECT_FALSE(Has(ComparisonText(record), "DOC-11, "));
  EXPECT_TRUE(Has(ComparisonText(record, true), "DOC-11, 3 legal"));
}

TEST(Comparison, WhatWasNotAuditedIsNoDifferenceAndMakesItIncomplete) {
  auto part = AuditOf(audit::Verdict::kNotExercised, Follows::kChosen, false);
  part.interrupted = true;
  const auto record = ComparisonOf(
      {{"a", "a", 0, ""}, {"b", "b", 2, ""}, {"c", "c", 2, ""}},
      {AuditJson(AuditOf(audit::Verdict::kConfirmed, Follows::kChosen)),
       AuditJson(part), "{"});
  EXPECT_FALSE(record.reasons.empty());
  EXPECT_EQ(record.reasons,
            (Words{"b: not audited as a whole", "c: not audited"}));
  EXPECT_EQ(record.rules[0].cells[0].verdicts,
            (Words{"confirmed", "not claimed", "not audited"}));
  EXPECT_EQ(record.targets[2].sentence, "not audited");
  EXPECT_TRUE(record.targets[1].audited);
  EXPECT_FALSE(record.targets[2].audited);
  EXPECT_TRUE(ComparisonText(record).starts_with(
      "NOT COMPLETE: b: not audited as a whole\n"));
  EXPECT_TRUE(ComparisonText(record).ends_with(
      "differ in 1 of 1 verdict and 0 of 2 readings\n"));
}

TEST(Comparison, RowsWithoutAResultAreNotCompared) {
  const std::string nothing = AuditJson(
      AuditOf(audit::Verdict::kNotExercised, Follows::kUndecided, false));
  for (const std::string& other : {nothing, std::string()}) {
    EXPECT_TRUE(ComparisonText(Compared(nothing, other))
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
    EXPECT_TRUE(ComparisonText(Compared(other, ""))
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
  }
}

}  // namespace
}  // namespace lanediff::reports::test

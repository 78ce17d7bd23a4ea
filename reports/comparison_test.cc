#include "reports/comparison.h"

#include <gtest/gtest.h>

#include "reports/audit.h"
#include "reports/audit_testing.h"
#include "reports/headline.h"
#include "reports/schema_testing.h"

namespace lanediff::reports {
namespace {

using audit::Follows;
using audit::Verdict;
using Words = std::vector<std::string>;

/// An audit of one rule on one product and of two disagreements.
audit::AuditRecord AuditOf(Verdict verdict, Follows follows,
                           bool claimed = true) {
  audit::AuditRecord record = test::SampleAudit();
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
  const auto good = AuditOf(Verdict::kConfirmed, Follows::kChosen);
  const auto bad = AuditOf(Verdict::kContradicted, Follows::kOther);
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
  EXPECT_TRUE(
      test::FitsSchema(ComparisonJson(record), "comparison.schema.json"));
  EXPECT_NE(ComparisonHtml(record).find("\"comparison\":"), std::string::npos);
}

TEST(Comparison, HasWhatTheDocumentsStateOfEachRuleAndReading) {
  const auto audit = AuditOf(Verdict::kConfirmed, Follows::kChosen);
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
  auto good = AuditOf(Verdict::kConfirmed, Follows::kChosen);
  for (int i = 0; i < 12; ++i) {
    good.disagreements.push_back(good.disagreements[0]);
    good.disagreements.back().id = "DOC-" + std::to_string(i);
  }
  auto bad = good;
  for (auto& place : bad.disagreements) place.follows = Follows::kNeither;
  const auto record = Compared(AuditJson(good), AuditJson(bad));
  EXPECT_TRUE(test::Has(ComparisonText(record), "… and 4 more\n"));
  EXPECT_FALSE(test::Has(ComparisonText(record), "DOC-11, "));
  EXPECT_TRUE(test::Has(ComparisonText(record, true), "DOC-11, 3 legal"));
}

TEST(Comparison, WhatWasNotAuditedIsNoDifferenceAndMakesItIncomplete) {
  auto part = AuditOf(Verdict::kNotExercised, Follows::kChosen, false);
  part.interrupted = true;
  const auto record =
      ComparisonOf({{"a", "a", 0, ""}, {"b", "b", 2, ""}, {"c", "c", 2, ""}},
                   {AuditJson(AuditOf(Verdict::kConfirmed, Follows::kChosen)),
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
  const std::string nothing =
      AuditJson(AuditOf(Verdict::kNotExercised, Follows::kUndecided, false));
  for (const std::string& other : {nothing, std::string()}) {
    EXPECT_TRUE(ComparisonText(Compared(nothing, other))
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
    EXPECT_TRUE(ComparisonText(Compared(other, ""))
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
  }
}

}  // namespace
}  // namespace lanediff::reports

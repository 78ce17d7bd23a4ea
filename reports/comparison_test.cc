#include "reports/comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/schema_testing.h"

namespace lanediff::reports {
namespace {

using nlohmann::json;

/// An audit of one rule on one product and of two disagreements.
json AuditOf(const std::string& verdict, const std::string& follows,
             bool claimed = true) {
  const json place = {{"title", "T"},
                      {"readings", {{{"citations", {{{"title", "Min"}}}}}}},
                      {"follows", follows}};
  json rare = place, common = place;
  rare.update({{"id", "DOC-RARE"}, {"differ", 3}});
  common.update({{"id", "DOC-COMMON"}, {"differ", 40}});
  return {{"complete", true},
          {"headline", {{"sentence", "one sentence"}}},
          {"rules",
           {{{"id", "MIN-VALUE"},
             {"instruction", "Min"},
             {"statement", "S"},
             {"cells",
              {{{"product", "atlas-a2"},
                {"verdict", verdict},
                {"claimed", claimed}}}}}}},
          {"disagreements", {rare, common}}};
}

TEST(Comparison, HasEachVerdictAndReadingOfEachTarget) {
  const auto record = ComparisonOf(
      {{"a", "a", 0, ""}, {"b", "b", 1, ""}},
      {AuditOf("confirmed", "chosen"), AuditOf("contradicted", "other")});
  EXPECT_TRUE(record.complete);
  ASSERT_EQ(record.rules.size(), 1u);
  EXPECT_EQ(record.rules[0].cells[0].verdicts,
            (std::vector<std::string>{"confirmed", "contradicted"}));
  ASSERT_EQ(record.disagreements.size(), 2u);
  EXPECT_EQ(record.disagreements[0].id, "DOC-COMMON");
  EXPECT_EQ(record.disagreements[0].documents, std::vector<std::string>{"Min"});
  EXPECT_EQ(record.disagreements[1].follows,
            (std::vector<std::string>{"chosen", "other"}));
  const std::string text = ComparisonText(record);
  EXPECT_EQ(text,
            "a: status 0: one sentence\nb: status 1: one sentence\n"
            "the targets differ in 1 of 1 verdict and 2 of 2 readings\n");
  EXPECT_TRUE(
      test::FitsSchema(ComparisonJson(record), "comparison.schema.json"));
  EXPECT_NE(ComparisonHtml(record).find("\"comparison\":"), std::string::npos);
}

TEST(Comparison, WhatWasNotAuditedIsNoDifferenceAndMakesItIncomplete) {
  json part = AuditOf("not exercised", "chosen", false);
  part["complete"] = false;
  const auto record =
      ComparisonOf({{"a", "a", 0, ""}, {"b", "b", 2, ""}, {"c", "c", 2, ""}},
                   {AuditOf("confirmed", "chosen"), part, nullptr});
  EXPECT_FALSE(record.complete);
  EXPECT_EQ(record.reasons,
            (std::vector<std::string>{"b: not audited as a whole",
                                      "c: not audited"}));
  EXPECT_EQ(
      record.rules[0].cells[0].verdicts,
      (std::vector<std::string>{"confirmed", "not claimed", "not audited"}));
  EXPECT_EQ(record.targets[2].sentence, "not audited");
  EXPECT_TRUE(ComparisonText(record).starts_with(
      "NOT COMPLETE: b: not audited as a whole\n"));
  EXPECT_TRUE(ComparisonText(record).ends_with(
      "differ in 1 of 1 verdict and 0 of 2 readings\n"));
}

TEST(Comparison, RowsWithoutAResultAreNotCompared) {
  const json nothing = AuditOf("not exercised", "undecided", false);
  const auto text = [&](const std::vector<json>& audits) {
    return ComparisonText(
        ComparisonOf({{"a", "a", 0, ""}, {"b", "b", 0, ""}}, audits));
  };
  for (const json& other : {nothing, json()}) {
    EXPECT_TRUE(text({nothing, other})
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
    EXPECT_TRUE(text({other, nullptr})
                    .ends_with("in 0 of 0 verdicts and 0 of 0 readings\n"));
  }
}

}  // namespace
}  // namespace lanediff::reports

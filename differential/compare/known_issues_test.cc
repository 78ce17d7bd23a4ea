#include "differential/compare/known_issues.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "differential/testcase/schema_faults.h"
#include "differential/testcase/testing.h"

namespace lanediff::diff {
namespace {

const std::string kCorpus = LANEDIFF_SOURCE_DIR "/corpus/";

constexpr std::string_view kGood = R"({
  "format": "lanediff-known-issues/1",
  "issues": [
    { "signature": "memory/min/zero-sign/half", "reason": "r", "link": "l",
      "expires": "2028-02-29" },
    { "signature": "outcome/min/MIN-ALIGN/half", "reason": "r2", "link": "l2",
      "expires": "2027-01-01" } ] })";

bool SchemaTakes(const std::string& text) {
  return test::SchemaFaults(text, kCorpus + "schema/known_issues.schema.json")
      .empty();
}

TEST(KnownIssues, AreReadInOrder) {
  const auto issues = ReadKnownIssues(kGood);
  ASSERT_TRUE(issues) << issues.error().message;
  ASSERT_EQ(issues->size(), 2u);
  EXPECT_EQ((*issues)[0], (KnownIssue{"memory/min/zero-sign/half", "r", "l",
                                      "2028-02-29", ""}));
  EXPECT_TRUE(SchemaTakes(std::string(kGood)));
}

TEST(KnownIssues, TheCorpusHasAListThatReads) {
  const auto issues = ReadKnownIssuesFile(kCorpus + "known_issues.json");
  EXPECT_TRUE(issues) << issues.error();
}

struct BadRow {
  const char* old;
  const char* now;
  const char* pointer;
  const char* message;
  bool schema_sees = true;
};

TEST(KnownIssues, ReportsBadListsWithPlaceAndAllowedValues) {
  const BadRow rows[] = {
      {"issues/1", "issues/2", "/format",
       "found \"lanediff-known-issues/2\"; \"lanediff-known-issues/1\" is "
       "allowed"},
      {"\"reason\": \"r\", ", "", "/issues/0",
       "the field \"reason\" is missing"},
      {"\"link\": \"l\"", "\"link\": \"\"", "/issues/0/link",
       "found \"\"; one line of text is allowed"},
      {"\"reason\": \"r\"", "\"reason\": 3", "/issues/0/reason",
       "found 3; a string is allowed"},
      {"\"reason\": \"r\"", "\"reason\": \"r\", \"since\": \"\"",
       "/issues/0/since", "unknown field; remove it or correct its name"},
      {"2028-02-29", "2027-02-29", "/issues/0/expires",
       "found \"2027-02-29\"; a day of the calendar, YYYY-MM-DD, is allowed",
       false},
      {"2028-02-29", "28-02-29", "/issues/0/expires",
       "found \"28-02-29\"; a day of the calendar, YYYY-MM-DD, is allowed"},
      {"2028-02-29", "2028-1x-29", "/issues/0/expires",
       "found \"2028-1x-29\"; a day of the calendar, YYYY-MM-DD, is allowed"},
      {"memory/min/", "memory/", "/issues/0/signature",
       "found \"memory/zero-sign/half\"; a signature "
       "\"kind/instruction/what/type\", of a call with forms "
       "\"kind/instruction/what/type/form\", is allowed"},
      {"memory/min/", "memory//", "/issues/0/signature",
       "found \"memory//zero-sign/half\"; a signature "
       "\"kind/instruction/what/type\", of a call with forms "
       "\"kind/instruction/what/type/form\", is allowed"},
      {"memory/min/", "memo/min/", "/issues/0/signature",
       "found \"memo\"; outcome, rules, notes, memory, reads-outside, "
       "not-deterministic, expectation, crash, timeout, protocol, state, "
       "lint-differs, kernel is allowed"},
      {"memory/min/zero-sign/half", "lint/add/SYNC-RAW/half/mask",
       "/issues/0/signature",
       "found a fifth word \"mask\"; a signature "
       "\"lint/instruction/rule/type\" is allowed",
       false},
      {"memory/min/zero-sign/half", "lint/add/SYNC-RAV/half",
       "/issues/0/signature",
       "found \"SYNC-RAV\"; a rule that lanediff has is allowed", false},
      {"memory/min/zero-sign/half", "lint/add/half", "/issues/0/signature",
       "found \"lint/add/half\"; a signature \"lint/instruction/rule/type\" "
       "is allowed"},
      {"outcome/min/MIN-ALIGN/half", "memory/min/zero-sign/half", "/issues/1",
       "the signature of issue 0 stands there once more; one entry for each "
       "is allowed",
       false},
  };
  for (const BadRow& row : rows) {
    const std::string text = Replaced(kGood, row.old, row.now);
    const auto issues = ReadKnownIssues(text);
    ASSERT_FALSE(issues) << row.now;
    EXPECT_EQ(issues.error().pointer, row.pointer);
    EXPECT_EQ(issues.error().message, row.message);
    EXPECT_EQ(SchemaTakes(text), !row.schema_sees) << row.now;
  }
}

Finding WithSignature(std::string signature) {
  Finding finding;
  finding.signature = std::move(signature);
  return finding;
}

TEST(KnownIssueFilter, KnowsACaseWhoseFindingsAreAllKnown) {
  KnownIssueFilter filter(ReadKnownIssues(kGood).value());
  const Finding zero = WithSignature("memory/min/zero-sign/half");
  const Finding align = WithSignature("outcome/min/MIN-ALIGN/half");
  const Finding other = WithSignature("memory/min/zero-sign/float");
  EXPECT_FALSE(filter.AllKnown({}));
  EXPECT_FALSE(filter.AllKnown({{other}}));
  for (const char* const near :
       {"memory/min/zero-sign/half2", "memory/min/zero-sign", ""}) {
    EXPECT_FALSE(filter.AllKnown({{WithSignature(near)}})) << near;
  }
  EXPECT_EQ(filter.NotOccurred().size(), 2u);
  EXPECT_FALSE(filter.AllKnown({{zero, other}}));
  ASSERT_EQ(filter.NotOccurred().size(), 1u) << "it occurred beside another";
  EXPECT_NE(filter.NotOccurred()[0].find("MIN-ALIGN/half did not occur"),
            std::string::npos);
  EXPECT_FALSE(filter.AllKnown({{other, zero}}));
  EXPECT_TRUE(filter.AllKnown({{align, zero, align}}));
  EXPECT_TRUE(filter.NotOccurred().empty());
  EXPECT_EQ(filter.Find("outcome/min/MIN-ALIGN/half")->reason, "r2");
  EXPECT_EQ(filter.Find("outcome/min/MIN-ALIGN"), nullptr);
}

TEST(KnownIssueFilter, WithoutAFormItMeansEveryForm) {
  KnownIssueFilter filter(
      {{"memory/min/value/half", "any", "l", "2027-01-01", ""},
       {"memory/min/value/half/count", "count", "l", "2027-01-01", ""}});
  EXPECT_EQ(filter.Find("memory/min/value/half/count")->reason, "count");
  EXPECT_EQ(filter.Find("memory/min/value/half/mask")->reason, "any");
  EXPECT_EQ(filter.Find("memory/min/value/float/mask"), nullptr);
  EXPECT_TRUE(
      filter.AllKnown({{WithSignature("memory/min/value/half/register")}}));
  ASSERT_EQ(filter.NotOccurred().size(), 1u);
  EXPECT_NE(filter.NotOccurred()[0].find("half/count did not occur"),
            std::string::npos);
}

TEST(KnownIssueFilter, AnIssueIsAcceptedUntilTheEndOfItsDay) {
  const KnownIssueFilter filter(ReadKnownIssues(kGood).value());
  EXPECT_TRUE(filter.Expired("2027-01-01").empty());
  const auto lines = filter.Expired("2027-01-02");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("outcome/min/MIN-ALIGN/half expired: accepted until "
                          "2027-01-01, today is 2027-01-02"),
            std::string::npos)
      << lines[0];
  EXPECT_EQ(filter.Expired("2028-03-01").size(), 2u);
  EXPECT_EQ(Today().size(), 10u);
}

}  // namespace
}  // namespace lanediff::diff

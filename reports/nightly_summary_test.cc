#include <gtest/gtest.h>

#include <string>

#include "reports/nightly.h"

namespace lanediff::reports {
namespace {

NightlyRecord Ran(int status) {
  NightlyRecord nightly;
  nightly.stages = {{.name = "replay",
                     .does = "",
                     .status = status,
                     .seconds = 75,
                     .figures = {{"cases", 5}, {"disagreed", 2}}},
                    {.name = "sweep", .does = ""}};
  return nightly;
}

NightlyFinding Finding(const std::string& message) {
  return {.stage = "replay",
          .signature = "memory/min/value/half",
          .cases = 2,
          .message = message,
          .reproduce = "lanediff check a.json"};
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(NightlySummary, IsATableOfStagesAndOneOfFindings) {
  NightlyRecord nightly = Ran(1);
  nightly.date = "2026-01-02";
  nightly.commit = "abc";
  nightly.signatures = {Finding("byte 0")};
  EXPECT_EQ(NightlySummary(nightly),
            "## lanediff, nightly run of 2026-01-02, commit abc\n\n"
            "Status 1: found something.\n\n"
            "| stage | status | seconds | figures |\n"
            "| --- | --- | ---: | --- |\n"
            "| replay | 1 found something | 75 | 5 cases, 2 disagreed |\n\n"
            "Did not run: sweep.\n\n"
            "### Findings by signature\n\n"
            "| stage | signature | cases | first of them |\n"
            "| --- | --- | ---: | --- |\n"
            "| replay | <code>memory/min/value/half</code> | 2 | byte "
            "0<br><code>lanediff check a.json</code> |\n");
}

TEST(NightlySummary, ShowsAMessageAsItIs) {
  NightlyRecord nightly = Ran(1);
  nightly.signatures = {
      Finding("a|b\n<script>alert(1)</script> `x` [y](z) **")};
  const std::string text = NightlySummary(nightly);
  EXPECT_TRUE(Has(text,
                  "| a&#124;b&#92;n&#60;script&#62;alert(1)&#60;/"
                  "script&#62; &#96;x&#96; &#91;y&#93;(z) "
                  "&#42;&#42;<br>"))
      << text;
}

TEST(NightlySummary, StatusOfTheRunIsTheWorst) {
  EXPECT_TRUE(Has(NightlySummary(Ran(0)), "Status 0: all agree."));
  EXPECT_TRUE(Has(NightlySummary(Ran(0)), "No finding."));
  NightlyRecord nightly = Ran(3);
  nightly.stages[1].status = 2;
  EXPECT_TRUE(Has(NightlySummary(nightly), "Status 3: a target failed."));
  nightly.stages[1].status = 1;
  EXPECT_TRUE(Has(NightlySummary(nightly), "Status 1: found something."));
  nightly = Ran(0);
  nightly.stages[0].problem = "replay.json is missing";
  nightly.stages[0].unfinished = true;
  const std::string text = NightlySummary(nightly);
  EXPECT_TRUE(Has(text, "Status 2: not all of it.")) << text;
  EXPECT_TRUE(Has(text, "| 0 all agree, unfinished |")) << text;
  EXPECT_TRUE(Has(text, "replay.json is missing |")) << text;
}

TEST(NightlySummary, OfManyFindingsTheFirstAreShown) {
  NightlyRecord nightly = Ran(1);
  nightly.signatures.assign(kSummaryFindings + 3, Finding("m"));
  EXPECT_TRUE(Has(NightlySummary(nightly), "and 3 more"));
}

}  // namespace
}  // namespace lanediff::reports

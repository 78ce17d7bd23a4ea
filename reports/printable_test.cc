#include "reports/printable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>

#include "reports/html.h"
#include "reports/printers.h"
#include "reports/rates.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

TEST(PrintableTest, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(InOneLine("plain é €😀 \\ 'x'"), "plain é €😀 \\ 'x'");
  EXPECT_EQ(InOneLine("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(InOneLine("\x1b[2J\x07\x7f"), "\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(InOneLine(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(InOneLine("\u009b1m\u0085"), "\\u009b1m\\u0085") << "C1";
  EXPECT_EQ(InOneLine("\u202eevil\u2066\u2028"), "\\u202eevil\\u2066\\u2028");
  EXPECT_EQ(InLines("a\n\tb\x1b"), "a\n\tb\\x1b");
}

TEST(PrintableTest, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(InOneLine("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(InOneLine("\xc0\x80"), "\\xc0\\x80") << "overlong";
  EXPECT_EQ(InOneLine("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(InOneLine("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(InOneLine("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(InOneLine("\xe2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(InOneLine("\xe2\x82\xac"), "€");
}

TEST(PrintableTest, XmlHasOnlyWhatXmlCanSay) {
  EXPECT_EQ(InLines("a\nb\x01\ufffe\uffff\ufffd"),
            "a\nb\\x01\\ufffe\\uffff\ufffd");
}

TEST(PrintableTest, ATitleIsUtf8) {
  const std::string page = HtmlPage("a\xff<\x1b", "{}");
  EXPECT_TRUE(Has(page, "<title>a\\xff&lt;\\x1b"));
  EXPECT_FALSE(Has(page, "\xff"));
}

TEST(PrintableTest, PrintersShowNothingRaw) {
  const std::string bad = "a\nb\x1b[2J\xff\u202e\ufffe";
  const std::string shown = InOneLine(bad);
  RunRecord run = SampleRun();
  CaseRecord record = run.cases[1];
  record.path = record.id = bad;
  record.reproduce = "lanediff check " + bad;
  record.findings[0].message = record.findings[0].side = bad;
  run.Add(record);
  CaseRecord malformed;
  malformed.path = malformed.error = bad;
  malformed.verdict = Verdict::kMalformed;
  run.Add(malformed);
  run.stale_issues = {bad};
  run.unfinished = bad;
  run.target = bad;
  const auto is_raw = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == '\x7f' ||
           c == '\xff';
  };
  const std::string texts[] = {CaseText(run.cases[run.cases.size() - 2]),
                               CaseText(malformed), SummaryText(run),
                               ToJunit(ToReport(run, 1)), RunJson(run)};
  for (const std::string& text : texts) {
    EXPECT_TRUE(std::ranges::none_of(text, is_raw)) << text;
  }
  EXPECT_TRUE(
      texts[0].starts_with("disagree " + shown + "\n  memory: " + shown))
      << texts[0];
  EXPECT_EQ(texts[1], "malformed " + shown + ": " + shown + "\n");
  EXPECT_EQ(std::ranges::count(texts[2], '\n'), 1) << texts[2];
  EXPECT_TRUE(FitsJunit(texts[3]));
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(texts[3].c_str()));
  EXPECT_FALSE(Has(texts[3], "\ufffe"));
  EXPECT_TRUE(FitsSchema(texts[4], "run.schema.json"));
}

constexpr diff::Pace kPace = {.legal = {.cases = 30,
                                        .seconds = 6,
                                        .reference_seconds = 3,
                                        .target_seconds = 1.5},
                              .illegal = {.cases = 10,
                                          .seconds = 1,
                                          .reference_seconds = 0.5,
                                          .target_seconds = 0.25}};

TEST(Rates, SharesAddUpAndWhatMakesCasesIsCountedAlike) {
  const auto lines = RateLines("min", "release", kPace, 11);
  ASSERT_EQ(lines.size(), 2);
  // Four seconds made 40 cases.
  EXPECT_EQ(lines[0].kind, "legal");
  EXPECT_DOUBLE_EQ(lines[0].per_second, 30 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].oracle, 3 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].target, 1.5 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].harness, 1.5 / 9.0);
  EXPECT_DOUBLE_EQ(lines[0].fuzzer, 3 / 9.0);
  EXPECT_EQ(lines[1].kind, "illegal");
  EXPECT_EQ(lines[1].cases, 10);
  EXPECT_DOUBLE_EQ(lines[1].per_second, 10 / 2.0);
  EXPECT_DOUBLE_EQ(lines[1].harness, 0.25 / 2.0);
  EXPECT_DOUBLE_EQ(lines[1].fuzzer, 1 / 2.0);
}

TEST(Rates, WithoutCasesThereAreNoLines) {
  EXPECT_TRUE(RateLines("min", "release", {}, 5).empty());
  EXPECT_EQ(RatesText({}), "");
  diff::Pace legal = kPace;
  legal.illegal = {};
  EXPECT_EQ(RateLines("min", "release", legal, 6).size(), 1);
}

TEST(Rates, TextHasALineForEach) {
  const auto lines = RateLines("min", "asan+ubsan", kPace, 11);
  EXPECT_EQ(RatesText(lines),
            "rates              build        cases               a second   "
            "oracle   target  harness   fuzzer\n"
            "min                asan+ubsan   legal           30         3   "
            "33.3 %   16.7 %   16.7 %   33.3 %\n"
            "min                asan+ubsan   illegal         10         5   "
            "25.0 %   12.5 %   12.5 %   50.0 %\n");
}

}  // namespace

}  // namespace lanediff::reports::test

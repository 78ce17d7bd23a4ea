// What is shown of texts and of cases.

#include "reports/printable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <vector>

#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"
#include "reports/headline.h"
#include "reports/html.h"
#include "reports/printers.h"
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

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string Print(const Case& c, const std::string& target = "emulator") {
  return CaseViewJson(view::ViewCase(c, **diff::FindTarget(target),
                                     **diff::FindTarget("oracle")));
}

Case Corpus(const std::string& name) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json");
  EXPECT_TRUE(c) << name << ": " << c.error();
  return c.value_or(Case());
}

TEST(CaseViewJson, ElementsAreTextsAndAlikeOnesAreOne) {
  const Json json = Json::parse(
      Print(Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2")));
  const Json& step = json.at("steps").at(0);
  EXPECT_EQ(step.at("arithmetic"), "tree");
  const Json node = {0,
                     0,
                     "add",
                     "60000 (0x7b53)",
                     "60000 (0x7b53)",
                     "120000",
                     "65504 (0x7bff)",
                     "rs"};
  EXPECT_EQ(step.at("shown").at(0).at("nodes").at(0), node);
  const Json& dst = step.at("blocks").at(0);
  EXPECT_EQ(dst.at("touched"), "ww" + std::string(30, '.'));
  EXPECT_EQ(dst.at("before").at("values"), "-0.02205");
  EXPECT_EQ(dst.at("after").at("hex").get<std::string>().substr(0, 6),
            "5878a5");
  EXPECT_FALSE(dst.contains("actual"));
  const Json& src = step.at("blocks").at(1);
  EXPECT_EQ(src.at("before").at("values").get<std::string>().substr(0, 28),
            "60000 60000 -30000 100 -0.02");
  EXPECT_FALSE(src.contains("after"));
  const Json access = {0, "r", 1024, 8, 0};
  EXPECT_EQ(step.at("shown").at(0).at("accesses").at(0), access);
}

TEST(CaseViewJson, FindingHasBitsDecimalAndDistance) {
  const Json json =
      Json::parse(Print(Corpus("repeat_reduce_sum/tree-128-random-halves"),
                        "mutant:rrs-left-fold"));
  const Json& difference = json.at("findings").at(0).at("difference");
  EXPECT_EQ(difference.at("expected"), "-7696 (0xef84)");
  EXPECT_EQ(difference.at("actual"), "-7736 (0xef8e)");
  EXPECT_EQ(difference.at("ulp"), "10");
  const Json& dst = json.at("steps").at(0).at("blocks").at(0);
  EXPECT_EQ(dst.at("differing"), Json::array({0}));
  EXPECT_EQ(dst.at("actual").at("hex").get<std::string>().substr(0, 4), "8eef");
}

TEST(CaseViewJson, HostileTextsStayTexts) {
  Case c = Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2");
  c.id = "</script><script>alert(1)</script>";
  c.note = "\"quotes\" \\ \x01\x1f \xff <!-- \n \xe2\x80\xa8";
  const std::string text = Print(c);
  // Control characters and a line's end stand in no JSON text.
  EXPECT_TRUE(std::ranges::none_of(
      text, [](char ch) { return static_cast<unsigned char>(ch) < 0x20; }));
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("id"), c.id);
  EXPECT_EQ(json.at("note"),
            "\"quotes\" \\ \x01\x1f \xef\xbf\xbd <!-- \n \xe2\x80\xa8");
}

TEST(CaseViewJson, TheCorpusStaysSmall) {
  std::vector<std::size_t> sizes;
  for (const auto& entry : fs::recursive_directory_iterator(
           fs::path(LANEDIFF_SOURCE_DIR) / "corpus")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.ends_with(".schema.json") ||
        name == "known_issues.json") {
      continue;
    }
    const auto c = ReadCaseFile(entry.path().string());
    ASSERT_TRUE(c) << name;
    sizes.push_back(Print(*c).size());
    EXPECT_LT(sizes.back(), 300'000u) << name;
  }
  ASSERT_FALSE(sizes.empty());
  std::ranges::sort(sizes);
  const auto at = [&](double part) {
    return sizes[static_cast<std::size_t>(
        part * static_cast<double>(sizes.size() - 1))];
  };
  EXPECT_LT(at(0.5), 60'000u);
  EXPECT_LT(at(0.9), 120'000u);
  RecordProperty("median", static_cast<int>(at(0.5)));
  RecordProperty("largest", static_cast<int>(sizes.back()));
}

TEST(CaseViewJson, ManyLargeStepsShareTheSpace) {
  std::string program;
  for (int i = 0; i < 40; ++i) {
    program += R"(
        {"op": "RepeatReduceSum", "dtype": "half",
         "dst": {"position": "VECOUT", "at": 0, "bytes": 510},
         "src": {"position": "VECIN", "at": 1024, "bytes": 65280},
         "repeat": 255, "elemsInOneRepeat": 128, "dstBlkStride": 0,
         "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8},
        {"op": "Min", "dtype": "half", "mask": ["0x5555555555555555", "0x5555555555555555"],
         "dst": {"position": "VECOUT", "at": 131072, "bytes": 65280},
         "src0": {"position": "VECIN", "at": 1024, "bytes": 65280},
         "src1": {"position": "VECIN", "at": 131072, "bytes": 65280},
         "repeatTimes": 255, "repeatParams":
           {"dstBlkStride": 1, "src0BlkStride": 1, "src1BlkStride": 1,
            "dstRepStride": 8, "src0RepStride": 8, "src1RepStride": 8}},)";
  }
  program.pop_back();
  const auto c = ReadCase(
      R"({"format": "lanediff-case/1", "id": "test/large", "product": "atlas-a2",
          "memory": {"UB": {"regions": [{"at": 1024, "dtype": "half",
            "values": [{"from": 0.37, "step": 1.7, "count": 32640}]}]}},
          "program": [)" +
      program + "]}");
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_LT(Print(*c).size(), 300'000u);
}

}  // namespace

}  // namespace lanediff::reports::test

// What the printers of an audit show, and that nothing is left out.

#include "reports/audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "isa/catalogue.h"
#include "reports/corpus_index.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

using audit::AuditRecord;
using Json = nlohmann::json;

const std::string kPage =
    "https://www.hiascend.com/document/detail/zh/CANNCommunityEdition/"
    "800alpha001/apiref/ascendcopapi/atlasascendc_api_07_0086.html\n";

TEST(AuditTextTest, ALineForEachRuleProductsAndBadEvidenceWithItsCommand) {
  const std::string text = AuditText(SampleAudit());
  for (const char* line :
       {"RRS-REPEAT violated on a2; enforced on training: 802 cases compared: "
        "refused 310 of 312 alone, 88 of 88 beside others; ran otherwise 2; "
        "accepted 402\n",
        "RRS-TREE contradicted on a2; confirmed on training: 100 cases "
        "compared: as documented 90 of 100\n",
        "MIN-PRODUCT tolerated: 8 cases compared: refused 0 of 8 alone; ran as "
        "extended 7; ran, undefined 1\n",
        "MIN-DTYPE not exercised: 0 cases compared\n  not exercised on a3: the "
        "target <does> not do Min\n",
        "  a2: breaks, repeat 256: ran otherwise: UB byte 0: expected <1> & "
        "\"2\", found 3\n"
        "    signature: outcome/repeat_reduce_sum/RRS-REPEAT/half\n"
        "    reproduce: lanediff check cases/rrs-repeat/a2-256.json --target "
        "t\n"}) {
    EXPECT_TRUE(Has(text, line));
  }
  EXPECT_FALSE(Has(text, "min-product")) << "what is tolerated is no defect";
}

TEST(AuditJsonTest, EvidenceLevelAndEvidenceOfTheCorpusByWhoWorkedItOut) {
  const Json json = Json::parse(AuditJson(SampleAudit(), nullptr));
  std::map<std::string, std::size_t> cases;
  for (const Json& rule : json.at("rules")) {
    EXPECT_FALSE(rule.at("corpus").empty()) << rule.at("id");
    const isa::Rule* const row = isa::FindRule(rule["id"].get<std::string>());
    ASSERT_NE(row, nullptr) << rule["id"];
    // The weakest part of a rule counts, not the strongest.
    EXPECT_EQ(rule["evidenceLevel"], isa::Name(isa::EvidenceOf(*row)));
    for (const Json& kind : rule.at("corpus")) {
      cases[kind.at("tool")] += kind.at("cases").size();
    }
  }
  EXPECT_FALSE(cases.contains("oracle")) << "which is no evidence";
  EXPECT_GT(cases["published"], 0u);
  EXPECT_GT(cases["hand"], 0u);
  EXPECT_GT(cases["script/expectations"], cases["hand"]);
}

TEST(AuditJsonTest, ACaseThatOnlyNamesARejectRuleIsNoEvidenceOfIt) {
  AuditRecord record = SampleAudit();
  record.rules.resize(1);
  record.rules[0].rule = isa::FindRule("MIN-PRODUCT");
  const std::string json = AuditJson(record, nullptr);
  std::size_t left_out = 0;
  for (const CorpusEntry& entry : CorpusEntries()) {
    if (entry.rule != "MIN-PRODUCT") continue;
    const bool rejected = entry.expects == CorpusEntry::kRejected;
    EXPECT_EQ(Has(json, fmt::format("\"{}\"", entry.id)), rejected);
    left_out += !rejected;
  }
  EXPECT_GT(left_out, 0u);
}

TEST(CorpusEntriesTest, AreOfRulesThatAreThere) {
  ASSERT_GT(CorpusEntries().size(), isa::Catalogue().size());
  for (const CorpusEntry& entry : CorpusEntries()) {
    EXPECT_NE(isa::FindRule(entry.rule), nullptr) << entry.id;
  }
}

TEST(AuditTextTest, DefectOnSeveralProductsIsReportedOnce) {
  AuditRecord record = SampleAudit();
  auto& cells = record.rules[0].cells;
  cells.push_back(cells[1]);
  cells.back().product = isa::Product::kAtlasA3;
  EXPECT_TRUE(Has(AuditText(record), "  a2, a3: breaks, repeat 256: "));
  cells.back().evidence[0].message = "another";
  const std::string text = AuditText(record);
  EXPECT_TRUE(Has(text, "  a2: breaks, repeat 256: "));
  EXPECT_TRUE(Has(text, "  a3: breaks, repeat 256: ran otherwise: another\n"));
}

/// Wrong cases of two rules, one blamed on the other's, by a target that checks
/// nothing.
AuditRecord BlamedAudit() {
  AuditRecord record = SampleAudit();
  record.tolerates = true;
  record.beyond = 77;
  audit::Cell& tree = record.rules[1].cells[1];
  tree.wrong = {{.where = "of half, in form count", .wrong = 9, .right = 3},
                {.where = "", .wrong = 1, .right = 40}};
  tree.elsewhere = {{.rule = isa::RuleId("RRS-ADDRESS"), .wrong = 5}};
  tree.compared += 5;
  tree.co_suspects = {isa::RuleId("RRS-SATURATE")};
  record.rules[0].cells[1].evidence[0].tolerated = true;
  record.rules[0].cells[1].verdict = audit::Verdict::kTolerated;
  record.rules[0].verdict = audit::Verdict::kTolerated;
  record.rules[3].verdict = audit::Verdict::kSuspected;
  record.rules[3].cells[0].verdict = audit::Verdict::kSuspected;
  return record;
}

TEST(AuditTextTest, WrongCasesAddUpAndNameTheRuleThatTheyAreBlamedOn) {
  const std::string text = AuditText(BlamedAudit());
  EXPECT_TRUE(Has(
      text,
      "RRS-TREE contradicted on a2; confirmed on training: 105 cases compared: "
      "as documented 90 of 105, wrong 15: blamed on it 10, on RRS-ADDRESS 5\n"
      "  a2: wrong of half, in form count: 9 wrong cases, 3 right results "
      "there\n"
      "  a2: wrong anywhere: 1 wrong cases, 40 right results there\n"
      "  a2: explained as well by RRS-SATURATE\n"));
}

TEST(AuditTextTest, WhatIsWrongStandsBeforeWhatIsTolerated) {
  const std::string text = AuditText(BlamedAudit());
  EXPECT_LT(text.find("RRS-TREE contradicted"), text.find("MIN-DTYPE "));
  EXPECT_LT(text.find("MIN-DTYPE suspected"),
            text.find("RRS-REPEAT tolerated"));
  EXPECT_FALSE(Has(text, "outcome/repeat_reduce_sum/RRS-REPEAT"))
      << "no finding of who checks nothing";
  EXPECT_TRUE(Has(text, ", 1 contradicted, 1 suspected"));
}

TEST(AuditJsonTest, HasTheBlameOfTheText) {
  const std::string text = AuditJson(BlamedAudit(), nullptr);
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("beyond"), 77);
  const Json& cell = json.at("rules").at(1).at("cells").at(1);
  std::uint64_t sum = 0;
  for (const Json& one : cell.at("alone")) sum += one.get<std::uint64_t>();
  for (const Json& one : cell.at("blamedElsewhere")) {
    sum += one.at("wrong").get<std::uint64_t>();
  }
  EXPECT_EQ(cell.at("compared"), sum);
  EXPECT_TRUE(FitsSchema(text, "audit.schema.json"));
  EXPECT_EQ(cell.at("coSuspects"), Json({"RRS-SATURATE"}));
  EXPECT_EQ(cell.at("wrong").at(0).at("where"), "of half, in form count");
  EXPECT_EQ(json.at("cells").at("suspected"), 1);
  EXPECT_EQ(Json::parse(AuditDigestJson(BlamedAudit(), nullptr, nullptr))
                .at("beyond"),
            77)
      << "the page that opens";
}

TEST(AuditTextTest, ARuleHasItsSources) {
  AuditRecord record = SampleAudit();
  const std::string text = AuditText(record);
  for (const isa::Source& source : record.rules[0].rule->sources) {
    EXPECT_TRUE(Has(text, isa::CitationText(source.document, source.quote)));
  }
  EXPECT_TRUE(Has(text, "    RepeatReduceSum, CANN 8.0.0.alpha001: " + kPage));
  EXPECT_FALSE(Has(AuditText(record, nullptr, nullptr, false), kPage));
}

TEST(AuditTextTest, DisagreementsThenSums) {
  AuditRecord cut = SampleAudit();
  cut.stopped = "the target crashed too often";
  cut.interrupted = true;
  EXPECT_TRUE(Has(AuditText(cut),
                  "audit: stopped: the target crashed too often\n"
                  "audit: interrupted; "));
  EXPECT_TRUE(Has(
      AuditText(SampleAudit()),
      "disagreement printed-35604: a printed value that no half has (silent; "
      "legal calls that differ: 0)\n"
      "  chosen: the nearest half, 35616 (assumed)\n"
      "    silent: RepeatReduceSum, CANN 8.0.0.alpha001: " +
          kPage +
          "  other: 35604, as printed (RepeatReduceSum · 调用示例: `35604`)\n"
          "    RepeatReduceSum, CANN 8.0.0.alpha001: " +
          kPage +
          "  why: no half is 35604\n"
          "  the target follows: chosen: found 35616\n"
          "  reproduce: lanediff check "
          "cases/disagreements/printed-35604.json\n"));
  EXPECT_TRUE(
      AuditText(SampleAudit())
          .ends_with(
              "audit: 4 rules, rule by product: 1 enforced, 1 tolerated, 1 "
              "violated, 1 confirmed, 1 contradicted, 1 not exercised, 0 "
              "suspected; 1 disagreements of the documents\n"
              "audit: 996 of 1000 cases compared: 4 unsupported, 0 not run, 1 "
              "crashed, 0 hung; 996 steps, 123456 bytes, 789 nodes of mutant:x "
              "against oracle, edition 2026\n"));
}

TEST(AuditJsonTest, IsValidAndComplete) {
  const std::string text = AuditJson(SampleAudit());
  EXPECT_TRUE(FitsSchema(text, "audit.schema.json"));
  const Json json = Json::parse(text);
  EXPECT_EQ(json["rules"].size(), 4u);
  const std::string a2 = "/rules/0/cells/1/";
  ExpectAt(json,
           {{"/cells/violated", 1},
            {a2 + "alone", {{"refused", 10}, {"ran otherwise", 2}}},
            {a2 + "together", Json::object()},
            {a2 + "points/1/value", 256},
            {a2 + "points/2/value", "9223372036854775807"},  // beyond 2^53
            {a2 + "evidence/0/showing", "ran otherwise"},
            {"/rules/1/cells/1/numeric/largestUlp", 10},
            {"/disagreements/0/follows", "chosen"},
            {"/disagreements/0/case", "disagreements/printed-35604"}});
  EXPECT_FALSE(json["rules"][0]["cells"][1].contains("numeric"));
}

TEST(AuditJunitTest, IsValidAndHasEveryCell) {
  const std::string text = ToJunit(ToReport(SampleAudit(), 1));
  EXPECT_TRUE(FitsJunit(text));
  EXPECT_FALSE(
      FitsJunit(Replaced(text, " name=\"RRS-REPEAT [atlas-a2]\"", "")));
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(text.c_str()));
  const auto sum = [&](const char* what) {
    int all = 0;
    for (const auto suite : xml.child("testsuites")) {
      all += suite.attribute(what).as_int();
    }
    return all;
  };
  EXPECT_EQ(sum("tests"), 7);
  EXPECT_EQ(sum("failures"), 2);
  EXPECT_EQ(sum("skipped"), 1);
  EXPECT_EQ(xml.select_nodes("//testcase").size(), 7u);
  EXPECT_EQ(xml.select_nodes("//failure").size(), 2u);
  const auto failure =
      xml.select_node("//testcase[@name='RRS-REPEAT [atlas-a2]']/failure")
          .node();
  EXPECT_STREQ(failure.attribute("type").value(),
               "outcome/repeat_reduce_sum/RRS-REPEAT/half");
  EXPECT_STREQ(failure.attribute("message").value(),
               "breaks, repeat 256: ran otherwise: UB byte 0: expected <1> & "
               "\"2\", found 3");
  EXPECT_TRUE(Has(failure.text().get(), "reproduce: lanediff check cases/"));
  EXPECT_STREQ(xml.select_node("//skipped").node().text().get(),
               "not exercised: the target <does> not do Min");
  const auto tolerated =
      xml.select_node("//testcase[@name='MIN-PRODUCT [atlas-a3]']").node();
  EXPECT_FALSE(tolerated.child("failure"));
  EXPECT_TRUE(
      Has(tolerated.child("system-out").text().get(), "tolerated: refused 0"));
}

}  // namespace
}  // namespace lanediff::reports::test

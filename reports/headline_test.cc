// The sentence with which a report opens: its numbers, and that nothing which
// was not compared looks well. What comes first, and what a page may weigh.

#include "reports/headline.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "isa/catalogue.h"
#include "reports/audit.h"
#include "reports/baseline.h"
#include "reports/html.h"
#include "reports/printers.h"
#include "reports/record.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

isa::RuleId Rule(std::string_view text) { return isa::FindRule(text)->id; }

TEST(HeadlineTest, CountsFindingsInstructionsAndRules) {
  RunRecord run = RunOf({CaseOf("a", {"memory/min/value/half"}),
                         CaseOf("b", {"memory/min/value/half"}),
                         CaseOf("c", {"outcome/min/MIN-DTYPE/half"}),
                         CaseOf("d"), CaseOf("e"), CaseOf("f")});
  run.cases[3].instructions = {"DataCopy", "Max"};
  run.cases[3].enforced = {Rule("DC-BOUNDS"), Rule("MAX-ALIGN")};
  run.cases[4].tolerated = {Rule("MAX-ALIGN")};
  // Refused here and executed there: violated, not enforced.
  run.cases[5].enforced = {Rule("MIN-DTYPE")};
  const Headline h = HeadlineOf(run);
  EXPECT_EQ(h.sentence,
            "2 findings in 1 of 3 instructions; 1 rule enforced, 1 tolerated, "
            "1 violated");
  EXPECT_EQ(h.tone, "bad");
  EXPECT_EQ(nlohmann::json::parse(RunJson(run)).at("headline").at("sentence"),
            h.sentence);
  EXPECT_EQ(HeadlineText(run).substr(0, h.sentence.size() + 1),
            h.sentence + "\n");
  EXPECT_TRUE(FitsSchema(RunJson(run), "run.schema.json"));
}

TEST(HeadlineTest, ReportsOpenExpectedMemory) {
  CaseRecord open = CaseOf("a");
  open.open_memory = true;
  RunRecord run = RunOf({open});
  EXPECT_TRUE(Has(SummaryText(run), "; expected memory is open in 1\n"));
  const Headline h = HeadlineOf(run);
  EXPECT_EQ(h.tone, "incomplete");
  EXPECT_TRUE(Has(h.sentence, "which leaves it open, in 1 case"));
}

TEST(HeadlineTest, OneAndNone) {
  EXPECT_EQ(
      HeadlineOf(RunOf({CaseOf("a", {"memory/min/value/half"})})).sentence,
      "1 finding in 1 of 1 instruction; no case that was compared breaks a "
      "rule");
  RunRecord run = RunOf({CaseOf("a")});
  run.cases[0].enforced = {Rule("MIN-DTYPE"), Rule("MIN-ALIGN")};
  EXPECT_EQ(HeadlineOf(run).sentence,
            "No findings in 1 instruction; 2 rules enforced, 0 tolerated, 0 "
            "violated");
  EXPECT_EQ(HeadlineOf(run).tone, "good");
  RunRecord state =
      RunOf({CaseOf("a", {"memory/set_saturation/outside/none"})});
  EXPECT_TRUE(HeadlineOf(state).sentence.starts_with(
      "1 finding in machine state, none in 1 instruction"));
}

TEST(HeadlineTest, WhatWasNotComparedIsNeverGood) {
  const auto tone = [](auto change) {
    RunRecord run = RunOf({CaseOf("a")});
    change(run);
    const Headline h = HeadlineOf(run);
    EXPECT_TRUE(Has(h.sentence, "NOT compared: "));
    return h.tone;
  };
  for (const Verdict verdict : {Verdict::kUnsupported, Verdict::kMalformed,
                                Verdict::kTolerated, Verdict::kKnown}) {
    EXPECT_EQ(tone([&](RunRecord& run) {
                CaseRecord record = CaseOf("b");
                record.verdict = verdict;
                run.Add(record);
              }),
              "incomplete")
        << isa::Name(verdict);
  }
  EXPECT_EQ(tone([](RunRecord& run) { run.unfinished = "interrupted"; }),
            "incomplete");
  EXPECT_EQ(tone([](RunRecord& run) { run.about.emplace().legal_only = true; }),
            "incomplete");
  EXPECT_EQ(tone([](RunRecord& run) { run.account.emplace().left_out = 3; }),
            "incomplete");
  EXPECT_EQ(tone([](RunRecord& run) { run.disagree = 5; }), "bad")
      << "of which none is kept";
  RunRecord nothing = RunOf({});
  EXPECT_EQ(HeadlineOf(nothing).sentence, "Nothing was compared");
  EXPECT_EQ(HeadlineOf(nothing).tone, "incomplete");
}

TEST(HeadlineTest, ARefusalWithoutARuleCountsBesideALegalCase) {
  RunRecord run = RunOf({CaseOf("a"), CaseOf("b")});
  for (CaseRecord& record : run.cases) record.enforced = {Rule("MIN-ALIGN")};
  const auto enforced = [&] { return HeadlineOf(run).enforced; };
  EXPECT_EQ(enforced(), 1u);
  run.about.emplace().names_no_rules = true;
  EXPECT_EQ(enforced(), 0u) << "as of one that refuses everything";
  EXPECT_TRUE(Has(HeadlineOf(run).sentence, "no verdict on the rules"));
  run.cases[1].enforced.clear();
  EXPECT_EQ(enforced(), 1u);
  run.cases[1].instructions = {"vec_trans"};
  EXPECT_EQ(enforced(), 0u) << "of another instruction";
}

TEST(GroupsTest, AreWorstFirstWithTheSmallestCase) {
  RunRecord run = RunOf(
      {CaseOf("notes", {"notes/min/MIN-DTYPE/half"}),
       CaseOf("large", {"memory/min/value/half", "expectation/min/value/half"}),
       CaseOf("rules", {"rules/min/MIN-ALIGN/half"}),
       CaseOf("small", {"memory/min/value/half"}),
       CaseOf("outcome", {"outcome/min/MIN-DTYPE/half"}),
       CaseOf("hangs", {"timeout/min/target/half"}),
       CaseOf("other", {"memory/min/nan/half"}),
       CaseOf("crash", {"crash/min/target/half"}),
       CaseOf("illegal", {"crash/max/target/half"})});
  diff::Finding& illegal = run.cases.back().findings.front();
  illegal.kind = diff::FindingKind::kCrash;
  illegal.expected_rules = {Rule("MAX-ALIGN")};
  for (CaseRecord& record : run.cases) record.steps = 2;
  run.cases[3].steps = 1;
  std::vector<std::string> order;
  const auto groups = GroupsOf(run);
  for (const FindingGroup& group : groups) order.push_back(group.id);
  EXPECT_EQ(order,
            (std::vector<std::string>{"crash", "hangs", "outcome", "rules",
                                      "small", "other", "notes", "illegal"}));
  EXPECT_EQ(groups[4].cases, 2u);
  EXPECT_EQ(groups[0].badness, "failure");
  EXPECT_EQ(groups[2].badness, "legality");
  EXPECT_EQ(groups[6].badness, "notes");
  EXPECT_EQ(groups[7].badness, "failure");
}

TEST(GroupsTest, ReportsNewGoneAndUnchanged) {
  RunRecord run = RunOf({CaseOf("a", {"memory/min/value/half"}),
                         CaseOf("b", {"memory/min/nan/half"})});
  RunBaseline before;
  before.file = "old.json";
  before.target = "exec:model";
  before.signatures = {{"memory/min/value/half", {"other-case"}},
                       {"crash/min/target/half", {"a"}},
                       {"rules/min/MIN-DTYPE/half", {"not-run"}}};
  run.changes = ChangesSince(before, run);
  const auto& since = run.changes->signatures;
  EXPECT_EQ(since.fresh, std::vector<std::string>{"memory/min/nan/half"});
  EXPECT_EQ(since.still, std::vector<std::string>{"memory/min/value/half"});
  EXPECT_EQ(since.gone, std::vector<std::string>{"crash/min/target/half"});
  EXPECT_EQ(since.not_looked_at,
            std::vector<std::string>{"rules/min/MIN-DTYPE/half"});
  EXPECT_EQ(SinceText("old.json", since),
            "since old.json: 1 finding new, 1 gone, 1 still there, 1 not "
            "looked at this time");
  EXPECT_EQ(GroupsOf(run)[0].since, "new");
  EXPECT_EQ(GroupsOf(run)[1].since, "still");
  EXPECT_TRUE(Has(HeadlineText(run), "since old.json: 1 finding new"));
}

/// The sample audit with much bad evidence, each of another signature.
audit::AuditRecord ManyFindings(int count) {
  audit::AuditRecord record = SampleAudit();
  for (int i = 0; i < count; ++i) {
    audit::Evidence evidence;
    evidence.id = "id" + std::to_string(i);
    evidence.file = "cases/" + evidence.id + ".json";
    evidence.showing = audit::Showing::kRanOtherwise;
    evidence.signature = "memory/min/what" + std::to_string(i) + "/half";
    evidence.message = std::string(10000, 'x');
    record.rules[0].cells[0].evidence.push_back(evidence);
  }
  return record;
}

TEST(AuditHeadlineTest, CountsRulesByTheirWorstVerdict) {
  const audit::AuditRecord record = SampleAudit();
  const auto groups = GroupsOf(record, nullptr);
  const Headline h = HeadlineOf(record, groups, nullptr);
  const std::uint64_t rules = h.enforced + h.tolerated + h.violated +
                              h.confirmed + h.contradicted + h.not_exercised;
  EXPECT_EQ(rules, record.rules.size());
  EXPECT_EQ(h.tone, "bad");
  EXPECT_EQ(
      nlohmann::json::parse(AuditJson(record)).at("headline").at("sentence"),
      h.sentence);
  EXPECT_TRUE(AuditText(record).starts_with(h.sentence + "\n"));
  audit::AuditRecord cut = record;
  cut.interrupted = true;
  EXPECT_TRUE(Has(HeadlineOf(cut, groups, nullptr).sentence,
                  "NOT compared: the rest: the audit was interrupted"));
}

/// What a page shows where no script runs.
std::string WithoutScripts(const std::string& page) {
  const auto from = page.find("<main");
  return page.substr(from, page.find("</main>") - from);
}

TEST(FirstWordsTest, CompleteWithoutAScript) {
  const audit::AuditRecord record = ManyFindings(53);
  const auto groups = GroupsOf(record, nullptr);
  ASSERT_GT(groups.size(), kFirstFindings);
  const std::string page = WithoutScripts(
      AuditPages({.title = "t", .verb = "audit", .audit = &record})
          .at("index.html"));
  const auto has = [&](const std::string& text) {
    return page.find(HtmlText(text)) != std::string::npos;
  };
  EXPECT_TRUE(has(HeadlineOf(record, groups, nullptr).sentence));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(page.find("<strong>" + groups[i].signature + "</strong>") !=
                  std::string::npos,
              i < kFirstFindings)
        << i;
  }
  EXPECT_TRUE(
      has("and " + Counted(groups.size() - kFirstFindings, "more finding")));
}

TEST(FirstWordsTest, AreTextWhateverTheyHold) {
  Headline headline;
  headline.sentence = "<script>alert(1)</script> & \"so\"";
  FindingGroup group;
  group.signature = "memory/min/<b>/half";
  group.message = "two\nlines </section>";
  Report report;
  AddFront({.headline = headline,
            .groups = {group},
            .target = "emulator",
            .pages = {}},
           report);
  const std::string html = ToMarkup(report);
  EXPECT_FALSE(Has(html, "<script"));
  EXPECT_FALSE(Has(html, "<b>"));
  EXPECT_TRUE(
      Has(html, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;so&quot;"));
  EXPECT_TRUE(Has(html, "two\\nlines &lt;/section&gt;"));
}

TEST(AuditPagesTest, TheFirstIsSmallAndTheOthersLieBesideIt) {
  const audit::AuditRecord record = ManyFindings(5000);
  TargetRecord about;
  about.name = Shortened(std::string(5 << 20, 'n'), 200);
  const Pages pages = AuditPages(
      {.title = "t", .verb = "audit", .audit = &record, .about = &about});
  EXPECT_LE(pages.at("index.html").size(), std::size_t{1} << 20);
  EXPECT_EQ(pages.size(), 1 + record.rules.size());
  const std::string part =
      "parts/rule-" + std::string(record.rules[0].rule->id.text()) + ".js";
  ASSERT_TRUE(pages.contains(part));
  EXPECT_GT(pages.at(part).size(), std::size_t{1} << 20)
      << "the evidence is there";
  EXPECT_EQ(UnpackPages(PackPages(pages)), pages);
  EXPECT_FALSE(UnpackPages({1, 2, 3}));
}

TEST(AuditPagesTest, TextOfTheTargetEndsNoElement) {
  const std::string hostile = "</script><script>alert(1)</script>";
  audit::AuditRecord record = ManyFindings(1);
  record.target = "exec:" + hostile;
  record.rules[0].cells[0].evidence.back().message = hostile;
  TargetRecord about;
  about.name = hostile;
  about.version = hostile;
  about.character = {{"order", {hostile}}};
  const Pages pages = AuditPages(
      {.title = hostile, .verb = "audit", .audit = &record, .about = &about});
  for (const auto& [file, text] : pages) {
    EXPECT_FALSE(Has(text, "<script>alert")) << file;
  }
  RunRecord run = RunOf({CaseOf("a")});
  run.about = about;
  const Report report = ToReport(run, 0);
  const std::string page =
      ReportHtml({.title = hostile, .verb = "check", .report = &report});
  EXPECT_FALSE(Has(page, "<script>alert"));
  for (const std::string& one : {page, pages.at("index.html")}) {
    const std::size_t at = one.find("id=\"data\">") + 10;
    EXPECT_TRUE(FitsSchema(one.substr(at, one.find("</script>", at) - at),
                           "page.schema.json"));
  }
}

TEST(ShortenedTest, KeepsWholeCharacters) {
  EXPECT_EQ(Shortened("abc", 3), "abc");
  EXPECT_EQ(Shortened("abcd", 3), "abc…");
  EXPECT_EQ(Shortened("aé", 2), "a…");
}

}  // namespace
}  // namespace lanediff::reports::test

// What was not done that was wanted: in every format, and never green. How
// often a target crashed and hung: one number in every part of a report.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <pugixml.hpp>

#include "audit/audit.h"
#include "audit/testing.h"
#include "reports/audit.h"
#include "reports/headline.h"
#include "reports/lint.h"
#include "reports/mutant_record.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

using Json = nlohmann::json;

/// That all formats name `reason`, or, if it is empty, that none has any.
void ExpectReason(const Report& report, const std::string& json,
                  const std::string& reason) {
  const Json document = Json::parse(json);
  const Json sarif = Json::parse(ToSarif(report));
  const Json& invocation = sarif["runs"][0]["invocations"][0];
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_string(ToJunit(report).c_str()));
  const auto errors = junit.select_nodes("//error");
  if (reason.empty()) {
    EXPECT_EQ(document["complete"], true) << json;
    EXPECT_FALSE(document.contains("reasons"));
    EXPECT_EQ(invocation["executionSuccessful"], true);
    EXPECT_TRUE(errors.empty());
    return;
  }
  EXPECT_EQ(document["complete"], false);
  EXPECT_TRUE(Has(document["reasons"].dump(), reason));
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_TRUE(Has(invocation["toolExecutionNotifications"].dump(), reason));
  EXPECT_FALSE(errors.empty()) << reason;
}

TEST(Reasons, OfARunAreInEveryFormat) {
  const std::pair<std::string, std::function<void(RunRecord&)>> rows[] = {
      {"", [](RunRecord&) {}},
      {"interrupted after 1",
       [](auto& r) { r.unfinished = "interrupted after 1"; }},
      {"m.json: no case",
       [](auto& r) {
         CaseRecord record;
         record.path = "m.json";
         record.verdict = Verdict::kMalformed;
         record.error = "no case";
         r.Add(record);
       }},
      {"min: it ended",
       [](auto& r) {
         r.fuzzers.emplace_back().instruction = "min";
         r.fuzzers.back().error = "it ended";
       }},
      {"nothing was compared",
       [](auto& r) {
         r.cases[0].verdict = Verdict::kUnsupported;
         r.SumUp();
       }},
      {"nothing legal was compared: the target executed",
       [](auto& r) {
         r.cases[0].verdict = Verdict::kTolerated;
         r.SumUp();
       }},
      {"nothing legal was compared: the target refuses",
       [](auto& r) {
         r.cases[0].enforced = {isa::FindRule("MIN-DTYPE")->id};
         r.about.emplace().names_no_rules = true;
       }},
      {"a sample of 1 of 9 cases",
       [](auto& r) { r.sample = make::SampleSize{.cases = 1, .of = 9}; }},
      {"1 of 3 cases that the target claims is legal and unsupported",
       [](auto& r) {
         r.account.emplace().claimed = 3;
         r.account->lacking = 1;
       }},
      {"Min is claimed by the target and never executed",
       [](auto& r) { r.account.emplace().never_executed = {"Min"}; }}};
  for (const auto& [reason, change] : rows) {
    RunRecord run = RunOf({CaseOf("a")});
    change(run);
    const Headline headline = HeadlineOf(run);
    EXPECT_EQ(headline.tone == "good", reason.empty()) << headline.sentence;
    EXPECT_TRUE(HeadlineText(run).starts_with(headline.sentence + "\n"));
    EXPECT_TRUE(FitsSchema(RunJson(run), "run.schema.json")) << reason;
    ExpectReason(ToReport(run, 0), RunJson(run), reason);
  }
}

TEST(Reasons, OfLintAreInEveryFormat) {
  LintRecord good;
  LintedCase& linted = good.cases.emplace_back();
  linted.ops = {"Min"};
  linted.path = linted.id = "a";
  linted.reproduce = "lanediff lint a";
  ExpectReason(ToReport(good, 0), LintJson(good), "");
  LintRecord cut = good;
  cut.unfinished = "interrupted";
  LintRecord malformed = good;
  malformed.malformed = {{"m.json", "no case"}};
  LintRecord unsupported = good;
  unsupported.cases[0].verdict.unsupported = 0;
  const std::pair<LintRecord, std::string> rows[] = {
      {cut, "interrupted"},
      {malformed, "m.json: no case"},
      {LintRecord(), "nothing was looked at"},
      {unsupported, "1 of 1 programs end at an unsupported step"}};
  for (const auto& [record, reason] : rows) {
    ExpectReason(ToReport(record, 0), LintJson(record), reason);
    EXPECT_TRUE(FitsSchema(LintJson(record), "lint.schema.json"));
    const std::string text = LintSummary(record);
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_TRUE(Has(first, record.cases.empty() ? "Nothing was looked at"
                                                : "NOT looked at"))
        << reason;
  }
}

TEST(Reasons, OfAnAuditAreInEveryFormat) {
  audit::AuditRecord good;
  good.target = "t";
  good.reference = "oracle";
  good.cases = 10;
  ExpectReason(ToReport(good, 0), AuditJson(good), "");
  EXPECT_EQ(HeadlineOf(good, {}, nullptr).tone, "good");
  const std::pair<std::string, std::function<void(audit::AuditRecord&)>>
      rows[] = {
          {"stopped: it crashed", [](auto& r) { r.stopped = "it crashed"; }},
          {"interrupted", [](auto& r) { r.interrupted = true; }},
          {"2 cases could not be run here", [](auto& r) { r.skipped = 2; }},
          {"1 unreadable recorded outcome", [](auto& r) { r.malformed = 1; }},
          {"nothing was compared", [](auto& r) { r.unsupported = 10; }},
          {"a sample of 1 of 9 cases",
           [](auto& r) { r.sample = make::SampleSize{.cases = 1, .of = 9}; }}};
  for (const auto& [reason, change] : rows) {
    audit::AuditRecord record = good;
    change(record);
    ExpectReason(ToReport(record, 0), AuditJson(record), reason);
    EXPECT_EQ(HeadlineOf(record, {}, nullptr).tone, "incomplete") << reason;
    EXPECT_TRUE(FitsSchema(AuditJson(record), "audit.schema.json")) << reason;
  }
}

TEST(Reasons, OfMutantsAreInEveryFormat) {
  MutantsRecord record = SampleMutants();
  record.mutants.erase(record.mutants.begin() + 1);  // has fewer checkers
  EXPECT_EQ(TextsOf(ReasonsOf(record)),
            std::vector<std::string>{"1 hunt was not finished"});
  EXPECT_TRUE(ToText(ToReport(record))
                  .starts_with("NOT complete: 1 hunt was not finished\n"));
  record.mutants.resize(1);
  EXPECT_TRUE(ToText(ToReport(record), true).starts_with("mutant  "));
  record.interrupted = true;
  EXPECT_TRUE(
      ToText(ToReport(record)).starts_with("NOT complete: interrupted\n"));
  EXPECT_TRUE(Has(ToJunit(ToReport(record)), "name=\"complete\""));
  record.interrupted = false;
  record.mutants.clear();
  EXPECT_TRUE(ToText(ToReport(record))
                  .starts_with("NOT complete: nothing was compared\n"));
  EXPECT_TRUE(FitsSchema(MutantsJson(record), "mutants.schema.json"));
}

using Kind = diff::NoOutcome::Kind;
using Fails = std::function<std::optional<Kind>(const Case&)>;

audit::AuditRecord Audited(const Fails& fails) {
  const auto target = audit::test::FailsHere(fails);
  audit::AuditOptions options;
  options.instruction = "min";
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.sample = 3;
  return audit::RunAudit(target, options).record;
}

std::uint64_t CasesOf(const std::vector<FindingGroup>& groups,
                      std::string_view kind) {
  std::uint64_t cases = 0;
  for (const FindingGroup& group : groups) {
    if (group.signature.starts_with(kind)) cases += group.cases;
  }
  return cases;
}

void ExpectCounts(const audit::AuditRecord& record, std::uint64_t crashed,
                  std::uint64_t hung) {
  EXPECT_EQ(record.crashed, crashed);
  EXPECT_EQ(record.hung, hung);
  const std::string text = AuditText(record);
  EXPECT_TRUE(Has(text, fmt::format(" {} crashed, {} hung;", crashed, hung)));
  const auto groups = GroupsOf(record, nullptr);
  EXPECT_EQ(CasesOf(groups, "crash/"), crashed) << text;
  EXPECT_EQ(CasesOf(groups, "timeout/"), hung) << text;
  const Json json = Json::parse(AuditJson(record, nullptr, nullptr));
  ExpectAt(json, {{"/crashed", crashed}, {"/hung", hung}});
  std::uint64_t in_groups = 0;
  for (const Json& group : json.at("groups")) {
    const std::string signature = group.at("signature");
    if (signature.starts_with("crash/")) {
      in_groups += group.at("cases").get<std::uint64_t>();
    }
  }
  EXPECT_EQ(in_groups, crashed);
  ExpectAt(Json::parse(ToSarif(ToReport(record, 3, nullptr))),
           {{"/runs/0/properties/crashed", crashed},
            {"/runs/0/properties/hung", hung}});
}

TEST(FailureCounts, AgreeOfOneCase) {
  const auto fine = Audited([](const Case&) { return std::nullopt; });
  ExpectCounts(fine, 0, 0);
  const std::string swept = fine.rules.at(0).cells.at(0).evidence.at(0).id;
  for (const std::string& id :
       {swept, std::string("disagreements/min-slash")}) {
    const auto record = Audited([&](const Case& c) -> std::optional<Kind> {
      if (c.id != id) return std::nullopt;
      return Kind::kCrash;
    });
    ExpectCounts(record, 1, 0);
    EXPECT_TRUE(Has(ToJunit(ToReport(record, 3)), "<failure ")) << id;
  }
}

TEST(FailureCounts, AgreeOfManyCasesOfSeveralSources) {
  for (Kind kind : {Kind::kCrash, Kind::kTimeout}) {
    for (std::string_view start : {"audit/", "audit/min/", "audit/program/"}) {
      const auto record = Audited([&](const Case& c) -> std::optional<Kind> {
        if (!c.id.starts_with(start) ||
            std::hash<std::string>()(c.id) % 3 != 0) {
          return std::nullopt;
        }
        return kind;
      });
      const std::uint64_t failed = record.crashed + record.hung;
      EXPECT_GT(failed, 5u) << start;
      ExpectCounts(record, kind == Kind::kCrash ? failed : 0,
                   kind == Kind::kTimeout ? failed : 0);
    }
  }
}

}  // namespace
}  // namespace lanediff::reports::test

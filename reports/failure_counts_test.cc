// How often a target crashed and hung: one number in every part of a report.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "audit/audit.h"
#include "audit/testing.h"
#include "reports/audit.h"
#include "reports/headline.h"
#include "reports/report.h"
#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

using Json = nlohmann::json;
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

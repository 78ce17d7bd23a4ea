#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/lint.h"
#include "reports/sarif_log.h"

namespace lanediff::reports {
namespace {

using sarif::OrderedJson;

/// "Min/step 3/src0", as far as there is one.
std::string LogicalName(const LintFinding& finding) {
  return fmt::format("{}/step {}{}{}", finding.op, finding.step,
                     finding.operand.empty() ? "" : "/", finding.operand);
}

OrderedJson LintResult(const LintedCase& linted, const LintFinding& finding) {
  OrderedJson result = sarif::Result(
      finding.rule.text(), sarif::LevelOf(finding.rule.text()),
      fmt::format("on {}: {}", isa::Name(linted.product), finding.message));
  OrderedJson location = sarif::Location(
      linted.path, sarif::kWorkingFolder,
      finding.step < linted.lines.size() ? linted.lines[finding.step] : 1);
  location["logicalLocations"] = OrderedJson::array(
      {sarif::LogicalLocation(LogicalName(finding), "parameter")});
  result["locations"] = OrderedJson::array({std::move(location)});
  result["partialFingerprints"] = {
      {"lanediffSignature/v1", finding.signature},
      {"lanediffCase/v1", linted.id},
      {"lanediffStep/v1",
       fmt::format("{}/{}", isa::Name(linted.product), LogicalName(finding))}};
  if (!finding.known.empty()) {
    result["suppressions"] = OrderedJson::array(
        {{{"kind", "external"}, {"justification", finding.known}}});
  }
  result["properties"] = {{"product", isa::Name(linted.product)},
                          {"group", isa::Name(lint::GroupOf(finding.rule))},
                          {"step", finding.step},
                          {"reproduce", linted.reproduce}};
  if (!finding.alone.empty()) result["properties"]["alone"] = finding.alone;
  return result;
}

}  // namespace

std::string LintSarif(const LintRecord& record, int exit_status) {
  OrderedJson results = OrderedJson::array();
  for (const LintedCase& linted : record.cases) {
    for (const LintFinding& finding : linted.findings) {
      results.push_back(LintResult(linted, finding));
    }
  }
  for (const std::string& line : record.stale_issues) {
    results.push_back(sarif::Result(sarif::kKnownIssueRule, "error", line));
  }
  OrderedJson notifications = OrderedJson::array();
  for (const MalformedFile& file : record.malformed) {
    notifications.push_back(sarif::Notification(
        "error", fmt::format("{}: {}", file.path, file.error)));
    notifications.back()["locations"] =
        OrderedJson::array({sarif::Location(file.path, sarif::kWorkingFolder)});
  }
  if (!record.unfinished.empty()) {
    notifications.push_back(sarif::Notification("error", record.unfinished));
  }
  const LintRecord::Sums sums = record.Sum();
  return sarif::Document("lanediff/lint/", exit_status, std::move(results),
                         std::move(notifications),
                         {{"cases", record.cases.size()},
                          {"clean", sums.clean},
                          {"hazards", sums.hazards},
                          {"rejected", sums.rejected},
                          {"unsupported", sums.unsupported},
                          {"malformed", record.malformed.size()},
                          {"known", sums.known}},
                         record.unfinished.empty());
}

}  // namespace lanediff::reports

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/lint.h"
#include "reports/printers.h"
#include "reports/sarif_log.h"

namespace lanediff::reports {
namespace {

using sarif::OrderedJson;

/// What makes a result the same one in another run.
OrderedJson Fingerprints(const FindingKey& key) {
  return {{"lanediffSignature/v1", key.signature}, {"lanediffCase/v1", key.id}};
}

std::string_view StateOf(const RunChanges& changes, const FindingKey& key) {
  const auto in = [&](const std::vector<ChangedFinding>& list) {
    return std::ranges::count(list, key, &ChangedFinding::key) > 0;
  };
  return in(changes.fresh)     ? "new"
         : in(changes.updated) ? "updated"
                               : "unchanged";
}

OrderedJson FindingResult(const CaseRecord& record,
                          const diff::Finding& finding,
                          const RunChanges* changes) {
  const std::string rule = sarif::RuleOfSignature(finding.signature);
  OrderedJson result =
      sarif::Result(rule, sarif::LevelOf(rule),
                    fmt::format("{} against {}: {}", finding.side,
                                finding.reference, finding.message));
  OrderedJson location = sarif::Location(record.path, sarif::kWorkingFolder);
  location["logicalLocations"] =
      OrderedJson::array({sarif::LogicalLocation(finding.op, "function")});
  result["locations"] = OrderedJson::array({std::move(location)});
  const FindingKey key{record.id.empty() ? record.path : record.id,
                       finding.signature};
  result["partialFingerprints"] = Fingerprints(key);
  if (changes != nullptr) result["baselineState"] = StateOf(*changes, key);
  sarif::Accept(record.known_reason, result);
  result["properties"] = {{"kind", isa::Name(finding.kind)},
                          {"step", finding.step},
                          {"reproduce", record.reproduce}};
  if (record.times > 0) result["properties"]["times"] = record.times;
  return result;
}

OrderedJson AbsentResult(const GoneFinding& gone) {
  const std::string rule = sarif::RuleOfSignature(gone.key.signature);
  OrderedJson result = sarif::Result(rule, sarif::LevelOf(rule), gone.message);
  result["locations"] =
      OrderedJson::array({sarif::Location(gone.path, sarif::kWorkingFolder)});
  result["partialFingerprints"] = Fingerprints(gone.key);
  result["baselineState"] = "absent";
  result["properties"] = {{"lookedAt", gone.looked_at}};
  return result;
}

OrderedJson ResultsOf(const RunRecord& record) {
  const RunChanges* const changes = record.changes ? &*record.changes : nullptr;
  OrderedJson results = OrderedJson::array();
  for (const CaseRecord& c : record.cases) {
    for (const diff::Finding& finding : c.findings) {
      results.push_back(FindingResult(c, finding, changes));
    }
  }
  for (const std::string& line : record.stale_issues) {
    // A baseline holds no such lines to compare with.
    results.push_back(sarif::Result(sarif::kKnownIssueRule, "error", line));
  }
  if (changes != nullptr) {
    for (const GoneFinding& gone : changes->gone) {
      results.push_back(AbsentResult(gone));
    }
  }
  return results;
}

OrderedJson NotificationsOf(const RunRecord& record) {
  OrderedJson notifications = OrderedJson::array();
  for (const CaseRecord& c : record.cases) {
    if (c.error.empty()) continue;
    sarif::AddNotification(fmt::format("{}: {}", c.path, c.error),
                           sarif::Location(c.path, sarif::kWorkingFolder),
                           notifications);
  }
  for (const FuzzerRecord& fuzzer : record.fuzzers) {
    if (fuzzer.error.empty()) continue;
    sarif::AddNotification(
        fmt::format("{}: {}", fuzzer.instruction, fuzzer.error), notifications);
  }
  if (!record.unfinished.empty()) {
    sarif::AddNotification(record.unfinished, notifications);
  }
  return notifications;
}

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
  sarif::Accept(finding.known, result);
  result["properties"] = {{"product", isa::Name(linted.product)},
                          {"group", isa::Name(lint::GroupOf(finding.rule))},
                          {"step", finding.step},
                          {"reproduce", linted.reproduce}};
  if (!finding.alone.empty()) result["properties"]["alone"] = finding.alone;
  return result;
}

}  // namespace

std::string RunSarif(const RunRecord& record, int exit_status) {
  return sarif::Document(
      fmt::format("lanediff/{}/{}/", record.verb, record.target), exit_status,
      ResultsOf(record), NotificationsOf(record),
      {{"target", record.target},
       {"vectors", record.vectors},
       {"reference", record.reference},
       {"cases", record.total()},
       {"agree", record.agree},
       {"disagree", record.disagree},
       {"unsupported", record.unsupported},
       {"malformed", record.malformed},
       {"known", record.known},
       {"tolerated", record.tolerated}},
      record.unfinished.empty());
}

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
    sarif::AddNotification(fmt::format("{}: {}", file.path, file.error),
                           sarif::Location(file.path, sarif::kWorkingFolder),
                           notifications);
  }
  if (!record.unfinished.empty()) {
    sarif::AddNotification(record.unfinished, notifications);
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

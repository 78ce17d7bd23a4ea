#include "reports/sarif.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/sarif_log.h"

namespace lanediff::reports {
namespace {

using sarif::OrderedJson;

/// What makes a result the same one in another run.
OrderedJson Fingerprints(const FindingKey& key) {
  return {{"lanediffSignature/v1", key.signature}, {"lanediffCase/v1", key.id}};
}

bool Holds(const std::vector<ChangedFinding>& list, const FindingKey& key) {
  for (const ChangedFinding& finding : list) {
    if (finding.key == key) return true;
  }
  return false;
}

std::string_view StateOf(const RunChanges& changes, const FindingKey& key) {
  if (Holds(changes.fresh, key)) return "new";
  return Holds(changes.updated, key) ? "updated" : "unchanged";
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
  if (!record.known_reason.empty()) {
    result["suppressions"] = OrderedJson::array(
        {{{"kind", "external"}, {"justification", record.known_reason}}});
  }
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
    OrderedJson result = sarif::Result(sarif::kKnownIssueRule, "error", line);
    // A baseline holds no such lines to compare with.
    results.push_back(std::move(result));
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
    notifications.push_back(
        sarif::Notification("error", fmt::format("{}: {}", c.path, c.error)));
    notifications.back()["locations"] =
        OrderedJson::array({sarif::Location(c.path, sarif::kWorkingFolder)});
  }
  for (const FuzzerRecord& fuzzer : record.fuzzers) {
    if (fuzzer.error.empty()) continue;
    notifications.push_back(sarif::Notification(
        "error", fmt::format("{}: {}", fuzzer.instruction, fuzzer.error)));
  }
  if (!record.unfinished.empty()) {
    notifications.push_back(sarif::Notification("error", record.unfinished));
  }
  return notifications;
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

}  // namespace lanediff::reports

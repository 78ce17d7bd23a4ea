#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/audit.h"
#include "reports/audit_words.h"
#include "reports/sarif_log.h"

namespace lanediff::reports {
namespace {

using namespace audit;
using sarif::OrderedJson;

bool IsReported(Verdict verdict) {
  return IsBad(verdict) || verdict == Verdict::kTolerated;
}

std::string_view LevelOf(Verdict verdict) {
  return IsBad(verdict) ? "error" : "note";
}

std::string NameOf(std::string_view rule, isa::Product product) {
  return fmt::format("{}/{}", rule, isa::Name(product));
}

/// A result about one rule on one product, with or without evidence.
OrderedJson CellResult(std::string_view instruction, std::string_view rule,
                       isa::Product product, Verdict verdict,
                       const Evidence* evidence, const std::string& what) {
  OrderedJson result = sarif::Result(
      rule, LevelOf(verdict),
      fmt::format("{} is {} on {}{}{}", rule, isa::Name(verdict),
                  isa::Name(product), what.empty() ? "" : ": ", what));
  OrderedJson location = OrderedJson::object();
  if (evidence != nullptr) {
    location = sarif::Location(evidence->file, sarif::kReportFolder);
  }
  location["logicalLocations"] = OrderedJson::array(
      {sarif::LogicalLocation(instruction, "function"),
       sarif::LogicalLocation(
           fmt::format("{}/{}", instruction, NameOf(rule, product)), "rule")});
  result["locations"] = OrderedJson::array({std::move(location)});
  OrderedJson& prints = result["partialFingerprints"];
  prints["lanediffCell/v1"] = NameOf(rule, product);
  result["properties"] = {{"verdict", isa::Name(verdict)}};
  if (evidence != nullptr) {
    prints["lanediffCase/v1"] = evidence->id;
    if (!evidence->signature.empty()) {
      prints["lanediffSignature/v1"] = evidence->signature;
    }
    result["properties"]["reproduce"] = evidence->reproduce;
  }
  return result;
}

/// A result for each bad piece of evidence, or one for the cell.
std::vector<OrderedJson> CellResults(const AuditedRule& rule,
                                     const Cell& cell) {
  const auto make = [&](const Evidence* evidence, const std::string& what) {
    return CellResult(rule.rule->instruction, rule.rule->id.text(),
                      cell.product, cell.verdict, evidence, what);
  };
  std::vector<OrderedJson> results;
  if (IsBad(cell.verdict)) {
    for (const Evidence& evidence : cell.evidence) {
      if (!IsBad(evidence)) continue;
      results.push_back(make(&evidence, EvidenceText(evidence)));
    }
  }
  if (results.empty()) {
    results.push_back(
        make(cell.evidence.empty() ? nullptr : &cell.evidence.front(),
             TriedText({cell})));
  }
  return results;
}

/// New where no result stood before, updated where another one did.
std::string_view StateOf(const AuditChanges& changes, std::string_view rule,
                         isa::Product product) {
  for (const ChangedCell& cell : changes.cells) {
    if (cell.rule != rule || cell.product != product) continue;
    return cell.before && IsReported(*cell.before) ? "updated" : "new";
  }
  return "unchanged";
}

std::string_view StateOf(const AuditChanges& changes, const std::string& id) {
  for (const ChangedReading& reading : changes.readings) {
    if (reading.id == id) return reading.before ? "updated" : "new";
  }
  return "unchanged";
}

OrderedJson DisagreementResult(const AuditedDisagreement& place) {
  OrderedJson result = sarif::Result(
      sarif::kDisagreementRule, "note",
      fmt::format("{}; the target follows: {}{}{}", place.title,
                  isa::Name(place.follows), place.message.empty() ? "" : ": ",
                  place.message));
  if (!place.file.empty()) {
    result["locations"] =
        OrderedJson::array({sarif::Location(place.file, sarif::kReportFolder)});
  }
  result["partialFingerprints"] = {{"lanediffDisagreement/v1", place.id}};
  OrderedJson& properties = result["properties"];
  properties = {{"disagreement", place.id},
                {"follows", isa::Name(place.follows)},
                {"why", place.why},
                {"reproduce", place.reproduce}};
  properties["rules"] = OrderedJson::array();
  for (isa::RuleId rule : place.rules) {
    properties["rules"].push_back(rule.text());
  }
  properties["readings"] = OrderedJson::array();
  for (const Reading& reading : place.readings) {
    properties["readings"].push_back(
        {{"text", reading.text}, {"document", reading.document}});
  }
  return result;
}

/// Results of the baseline that are gone. Rules that are no longer in the
/// catalogue have no place in the document.
void AddAbsent(const AuditChanges& changes, OrderedJson& results) {
  for (const ChangedCell& cell : changes.cells) {
    const isa::Rule* const rule = isa::FindRule(cell.rule);
    if (rule == nullptr || !cell.before || !IsReported(*cell.before)) continue;
    if (cell.now && IsReported(*cell.now)) continue;
    results.push_back(CellResult(
        rule->instruction, cell.rule, cell.product, *cell.before, nullptr,
        cell.now ? fmt::format("now {}", isa::Name(*cell.now))
                 : "not audited"));
    results.back()["baselineState"] = "absent";
  }
  for (const ChangedReading& reading : changes.readings) {
    if (reading.now) continue;
    OrderedJson result = sarif::Result(sarif::kDisagreementRule, "note",
                                       reading.id + ": no longer looked at");
    result["partialFingerprints"] = {{"lanediffDisagreement/v1", reading.id}};
    result["baselineState"] = "absent";
    results.push_back(std::move(result));
  }
}

OrderedJson ResultsOf(const AuditRecord& record, const AuditChanges* changes) {
  OrderedJson results = OrderedJson::array();
  for (const AuditedRule& rule : record.rules) {
    for (const Cell& cell : rule.cells) {
      if (!IsReported(cell.verdict)) continue;
      for (OrderedJson& result : CellResults(rule, cell)) {
        if (changes != nullptr) {
          result["baselineState"] =
              StateOf(*changes, rule.rule->id.text(), cell.product);
        }
        results.push_back(std::move(result));
      }
    }
  }
  for (const AuditedDisagreement& place : record.disagreements) {
    results.push_back(DisagreementResult(place));
    if (changes != nullptr) {
      results.back()["baselineState"] = StateOf(*changes, place.id);
    }
  }
  if (changes != nullptr) AddAbsent(*changes, results);
  return results;
}

}  // namespace

std::string AuditSarif(const AuditRecord& record, int exit_status,
                       const AuditChanges* changes) {
  OrderedJson notifications = OrderedJson::array();
  if (!record.stopped.empty()) {
    sarif::AddNotification("stopped: " + record.stopped, notifications);
  }
  if (record.interrupted) {
    sarif::AddNotification("interrupted", notifications);
  }
  OrderedJson properties = {
      {"target", record.target},       {"vectors", record.vectors},
      {"reference", record.reference}, {"cases", record.cases},
      {"compared", record.Compared()}, {"unsupported", record.unsupported},
      {"crashed", record.crashed},     {"hung", record.hung}};
  const auto cells = record.Cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    properties["cells"][isa::Words<Verdict>::kSpelling[i]] = cells[i];
  }
  return sarif::Document(fmt::format("lanediff/audit/{}/", record.target),
                         exit_status, ResultsOf(record, changes),
                         std::move(notifications), std::move(properties),
                         record.IsComplete());
}

}  // namespace lanediff::reports

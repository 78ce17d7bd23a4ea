#include <nlohmann/json.hpp>

#include "case/json_layout.h"
#include "reports/changes_json.h"
#include "reports/printers.h"
#include "reports/rates_json.h"

namespace lanediff::reports {
namespace {

using Json = nlohmann::ordered_json;

Json RulesJson(const std::vector<isa::RuleId>& rules) {
  Json json = Json::array();
  for (isa::RuleId rule : rules) json.push_back(rule.text());
  return json;
}

Json FindingJson(const diff::Finding& finding) {
  Json json = {{"kind", isa::Name(finding.kind)},
               {"side", finding.side},
               {"reference", finding.reference},
               {"step", finding.step},
               {"op", finding.op},
               {"signature", finding.signature},
               {"message", finding.message}};
  if (!finding.expected_rules.empty() || !finding.actual_rules.empty()) {
    json["expectedRules"] = RulesJson(finding.expected_rules);
    json["actualRules"] = RulesJson(finding.actual_rules);
  }
  if (const auto& d = finding.difference) {
    json["difference"] = {{"memory", isa::Name(d->memory)},
                          {"at", d->at},
                          {"dtype", isa::Name(d->dtype)},
                          {"expectedBits", d->expected},
                          {"actualBits", d->actual},
                          {"ulp", d->ulp},
                          {"operand", d->operand},
                          {"iteration", d->iteration},
                          {"lane", d->lane},
                          {"differingBytes", d->differing_bytes}};
  }
  return json;
}

Json CaseJson(const CaseRecord& record) {
  Json json = {{"path", record.path},
               {"id", record.id},
               {"verdict", isa::Name(record.verdict)},
               {"steps", record.steps},
               {"comparedBytes", record.compared_bytes},
               {"nodes", record.nodes}};
  if (!record.error.empty()) json["error"] = record.error;
  if (!record.reason.empty()) json["reason"] = record.reason;
  if (!record.known_reason.empty()) json["known"] = record.known_reason;
  if (record.times > 0) json["times"] = record.times;
  if (!record.findings.empty()) {
    json["reproduce"] = record.reproduce;
    for (const diff::Finding& finding : record.findings) {
      json["findings"].push_back(FindingJson(finding));
    }
  }
  return json;
}

Json FuzzerJson(const FuzzerRecord& record) {
  Json json = {{"instruction", record.instruction},
               {"seed", record.seed},
               {"seconds", record.seconds},
               {"cases", record.cases},
               {"legal", record.legal},
               {"nodes", record.nodes},
               {"operations", record.operations},
               {"longRepeats", record.long_repeats},
               {"findings", record.findings},
               {"crashes", record.crashes}};
  json["rates"] = RatesJson(
      RateLines(record.instruction, record.build, record.pace, record.seconds));
  if (!record.error.empty()) json["error"] = record.error;
  return json;
}

Json SweepJson(const SweepRecord& record) {
  Json json = {{"instruction", record.instruction},
               {"cases", record.cases},
               {"legal", record.legal},
               {"rejected", record.rejected},
               {"unsupported", record.unsupported},
               {"disagree", record.disagree},
               {"steps", record.steps},
               {"comparedBytes", record.compared_bytes},
               {"nodes", record.nodes}};
  json["rules"] = Json::array();
  for (const SweptRule& rule : record.rules) {
    json["rules"].push_back({{"id", rule.id.text()},
                             {"brokenAlone", rule.alone},
                             {"brokenWithOthers", rule.together},
                             {"noted", rule.noted},
                             {"kept", rule.kept}});
  }
  return json;
}

Json CoverageJson(const CoverageRecord& record) {
  Json json = {{"room", record.room},
               {"bins", record.bins},
               {"reached", record.reached},
               {"open", record.open()}};
  json["holes"] = Json::array();
  for (const HoleRecord& hole : record.holes) {
    Json entry = {{"bin", hole.bin}};
    if (!hole.filler.empty()) entry["filledBy"] = hole.filler;
    if (!hole.reason.empty()) entry["never"] = hole.reason;
    json["holes"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string RunJson(const RunRecord& record) {
  Json json = {
      {"format", "lanediff-run/1"},    {"verb", record.verb},
      {"target", record.target},       {"vectors", record.vectors},
      {"reference", record.reference}, {"complete", record.unfinished.empty()}};
  if (!record.unfinished.empty()) json["unfinished"] = record.unfinished;
  json["summary"] = {{"cases", record.total()},
                     {"agree", record.agree},
                     {"disagree", record.disagree},
                     {"unsupported", record.unsupported},
                     {"unrecorded", record.unrecorded},
                     {"malformed", record.malformed},
                     {"known", record.known},
                     {"steps", record.steps},
                     {"comparedBytes", record.compared_bytes},
                     {"nodes", record.nodes}};
  json["cases"] = Json::array();
  for (const CaseRecord& c : record.cases) json["cases"].push_back(CaseJson(c));
  json["staleKnownIssues"] = record.stale_issues;
  json["fuzzers"] = Json::array();
  for (const FuzzerRecord& f : record.fuzzers) {
    json["fuzzers"].push_back(FuzzerJson(f));
  }
  if (!record.sweeps.empty()) {
    for (const SweepRecord& s : record.sweeps) {
      json["sweeps"].push_back(SweepJson(s));
    }
  }
  for (const CoverageRecord& c : record.coverage) {
    json["coverage"].push_back(CoverageJson(c));
  }
  if (record.changes) json["changes"] = ChangesJson(*record.changes);
  return LayOut(json);
}

}  // namespace lanediff::reports

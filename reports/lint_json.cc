#include <nlohmann/json.hpp>
#include <variant>

#include "case/json_layout.h"
#include "case/step_json.h"
#include "reports/lint.h"

namespace lanediff::reports {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered PlaceJson(const lint::Place& place) {
  Ordered json = {{"step", place.step}, {"op", place.op}};
  if (place.pipe) json["pipe"] = isa::Name(*place.pipe);
  if (!place.operand.empty()) {
    json["operand"] = place.operand;
    json["iteration"] = place.iteration;
  }
  return json;
}

Ordered HazardJson(const lint::Hazard& hazard) {
  Ordered json = {{"rule", hazard.rule.text()}};
  if (hazard.bytes) {
    json["memory"] = isa::Name(hazard.bytes->memory);
    json["at"] = hazard.bytes->at;
    json["bytes"] = hazard.bytes->bytes;
    json["total"] = hazard.bytes->total;
    json["folded"] = hazard.bytes->folded;
  }
  if (hazard.earlier) json["earlier"] = PlaceJson(*hazard.earlier);
  json["later"] = PlaceJson(hazard.later);
  json["fix"] = Ordered::array();
  for (const isa::Step& step : hazard.fix)
    json["fix"].push_back(StepJson(step));
  return json;
}

Ordered HazardsJson(const std::vector<lint::Hazard>& hazards) {
  Ordered json = Ordered::array();
  for (const lint::Hazard& hazard : hazards) {
    json.push_back(HazardJson(hazard));
  }
  return json;
}

Ordered WitnessJson(const lint::Witness& witness) {
  Ordered json = {{"rule", witness.rule.text()},
                  {"statement", witness.statement}};
  if (!witness.operand.empty()) json["operand"] = witness.operand;
  if (!witness.field.empty()) json["field"] = witness.field;
  if (witness.iteration) json["iteration"] = *witness.iteration;
  if (witness.lanes) {
    json["lanes"] = {witness.lanes->first, witness.lanes->second};
  }
  if (witness.bytes) {
    json["memory"] = isa::Name(witness.bytes->memory);
    json["at"] = witness.bytes->at;
    json["bytes"] = witness.bytes->bytes;
  }
  if (witness.earlier) json["earlier"] = *witness.earlier;
  json["found"] = witness.found;
  json["needed"] = witness.needed;
  json["text"] = witness.text();
  return json;
}

/// Numbers and truth values as JSON has them, all else as words.
Ordered ValueJson(const lint::SlotValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return lint::Text(value);
}

Ordered RepairJson(const lint::Repair& repair) {
  Ordered changes = Ordered::array();
  for (const lint::Repair::Change& change : repair.changes) {
    changes.push_back({{"field", change.field},
                       {"from", ValueJson(change.from)},
                       {"to", ValueJson(change.to)}});
  }
  Ordered json = {{"text", repair.text}, {"changes", std::move(changes)}};
  for (const isa::Step& step : repair.before) {
    json["before"].push_back(StepJson(step));
  }
  if (!repair.then_rejected.empty()) json["then"] = repair.then_rejected;
  return json;
}

Ordered RejectedJson(const LintedCase& linted,
                     const lint::RejectedStep& rejected) {
  Ordered rules = Ordered::array();
  for (isa::RuleId rule : rejected.rules) rules.push_back(rule.text());
  Ordered json = {{"step", rejected.step}, {"rules", std::move(rules)}};
  const lint::Told* const told = ToldOf(linted, rejected.step);
  if (told == nullptr) return json;
  json["witness"] = Ordered::array();
  for (const lint::Witness& witness : told->witnesses) {
    json["witness"].push_back(WitnessJson(witness));
  }
  if (told->repair) {
    json["repair"] = RepairJson(*told->repair);
  } else if (told->looked_for_repair) {
    json["repair"] = nullptr;
  }
  return json;
}

Ordered CaseJson(const LintedCase& linted) {
  const lint::Verdict& verdict = linted.verdict;
  Ordered json = {{"case", linted.id},
                  {"product", isa::Name(linted.product)},
                  {"racecheck", verdict.racecheck},
                  {"hazards", HazardsJson(verdict.hazards)}};
  if (verdict.rejected)
    json["rejected"] = RejectedJson(linted, *verdict.rejected);
  if (verdict.unsupported) json["unsupported"] = *verdict.unsupported;
  if (verdict.after) {
    Ordered rejected = Ordered::array();
    for (const lint::RejectedStep& step : verdict.after->rejected) {
      rejected.push_back(RejectedJson(linted, step));
    }
    json["after"] = {{"hazards", HazardsJson(verdict.after->hazards)},
                     {"rejected", std::move(rejected)}};
  }
  return json;
}

}  // namespace

std::string LintJson(const LintRecord& record) {
  Ordered cases = Ordered::array();
  for (const LintedCase& linted : record.cases) {
    cases.push_back(CaseJson(linted));
  }
  const LintRecord::Sums sums = record.Sum();
  Ordered by_rule = Ordered::object();
  for (const auto& [rule, count] : sums.by_rule) by_rule[rule] = count;
  Ordered summary = {{"cases", record.cases.size()},
                     {"clean", sums.clean},
                     {"hazards", sums.hazards},
                     {"rejected", sums.rejected},
                     {"byRule", std::move(by_rule)}};
  if (record.malformed > 0) summary["malformed"] = record.malformed;
  if (!record.unfinished.empty()) summary["unfinished"] = record.unfinished;
  return LayOut(
      Ordered{{"cases", std::move(cases)}, {"summary", std::move(summary)}});
}

}  // namespace lanediff::reports

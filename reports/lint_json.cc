#include <nlohmann/json.hpp>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/kernel_json.h"
#include "differential/testcase/record.h"
#include "reports/lint.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using Ordered = nlohmann::ordered_json;

template <class All, class Print>
Ordered LintList(const All& all, Print print) {
  Ordered json = Ordered::array();
  for (const auto& one : all) json.push_back(print(one));
  return json;
}

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
  if (!hazard.what.empty()) json["what"] = hazard.what;
  if (!hazard.where.empty()) json["where"] = hazard.where;
  json["fix"] = LintList(hazard.fix, StepJson);
  for (const lint::Hazard::FixPlace& place : hazard.fix_at) {
    json["fixAt"].push_back({{place.behind ? "behind" : "before", place.step}});
  }
  if (hazard.cause) {
    json["cause"] = {{"step", hazard.cause->step},
                     {"text", hazard.cause->text}};
  }
  return json;
}

Ordered HazardRepairJson(const std::optional<lint::HazardRepair>& repair) {
  if (!repair) return nullptr;
  Ordered json = {{"text", repair->text}};
  json["changes"] = LintList(repair->changes, [&](const auto& change) {
    return Ordered{{"step", change.step},
                   {"field", change.field},
                   {"from", change.from},
                   {"to", change.to}};
  });
  for (const lint::HazardRepair::Written& part : repair->written) {
    json["written"].push_back({{"memory", isa::Name(part.memory)},
                               {"at", part.at},
                               {"bytes", part.bytes}});
  }
  return json;
}

/// Those of the program itself, with what would take them away.
Ordered RepairedHazardsJson(const LintedCase& linted) {
  Ordered json = LintList(linted.verdict.hazards, HazardJson);
  for (const auto& [number, repair] : linted.hazard_repairs) {
    json[number]["repair"] = HazardRepairJson(repair);
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

Ordered RepairJson(const lint::Repair& repair) {
  Ordered json = {{"text", repair.text}};
  json["changes"] = LintList(repair.changes, [](const auto& change) {
    return Ordered{
        {"field", change.field}, {"from", change.from}, {"to", change.to}};
  });
  if (!repair.before.empty())
    json["before"] = LintList(repair.before, StepJson);
  if (!repair.behind.empty())
    json["behind"] = LintList(repair.behind, StepJson);
  if (!repair.then_rejected.empty()) json["then"] = repair.then_rejected;
  return json;
}

Ordered RejectedJson(const LintedCase& linted,
                     const lint::RejectedStep& rejected) {
  Ordered json = {{"step", rejected.step},
                  {"rules", LintList(rejected.rules, [](isa::RuleId rule) {
                     return rule.text();
                   })}};
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, rejected.step);
  if (diagnosis == nullptr) return json;
  json["witness"] = LintList(diagnosis->witnesses, WitnessJson);
  if (diagnosis->repair) {
    json["repair"] = RepairJson(*diagnosis->repair);
  } else if (diagnosis->looked_for_repair) {
    json["repair"] = nullptr;
  }
  return json;
}

Ordered LintFindingJson(const LintFinding& finding) {
  Ordered json = {{"rule", finding.rule.text()},
                  {"signature", finding.signature},
                  {"step", finding.step},
                  {"message", finding.message}};
  if (!finding.known.empty()) json["known"] = finding.known;
  if (!finding.alone.empty()) json["alone"] = finding.alone;
  return json;
}

Ordered GroupJson(const LintGroup& group) {
  return {{"signature", group.signature},
          {"rule", group.rule.text()},
          {"group", isa::Name(group.group)},
          {"times", group.times},
          {"cases", group.cases},
          {"case", group.example->id},
          {"product", isa::Name(group.example->product)},
          {"message", group.finding->message},
          {"reproduce", group.example->reproduce}};
}

Ordered CaseJson(const LintedCase& linted) {
  const lint::Verdict& verdict = linted.verdict;
  Ordered json = {{"case", linted.id},
                  {"path", InOneLine(linted.path)},
                  {"product", isa::Name(linted.product)},
                  {"edition", isa::Name(linted.edition)},
                  {"reproduce", linted.reproduce},
                  {"racecheck", verdict.racecheck},
                  {"steps", linted.ops.size()},
                  {"hazards", RepairedHazardsJson(linted)}};
  if (verdict.rejected)
    json["rejected"] = RejectedJson(linted, *verdict.rejected);
  if (verdict.unsupported) json["unsupported"] = *verdict.unsupported;
  for (const auto& [rule, steps] : verdict.notes) {
    json["notes"].push_back({{"rule", rule.text()}, {"steps", steps}});
  }
  if (verdict.after) {
    json["after"] = {{"hazards", LintList(verdict.after->hazards, HazardJson)},
                     {"rejected", LintList(verdict.after->rejected,
                                           [&](const lint::RejectedStep& step) {
                                             return RejectedJson(linted, step);
                                           })}};
    if (!verdict.after->at_end.empty()) {
      json["after"]["atEnd"] = LintList(verdict.after->at_end, HazardJson);
    }
  }
  if (!linted.findings.empty()) {
    json["findings"] = LintList(linted.findings, LintFindingJson);
  }
  return json;
}

}  // namespace

std::string LintJson(const LintRecord& record) {
  const LintHeadline headline = HeadlineOf(record);
  const LintRecord::Sums sums = record.Sum();
  Ordered by_rule = Ordered::object();
  for (const auto& [rule, count] : sums.by_rule) by_rule[rule] = count;
  Ordered summary = {{"cases", record.cases.size()},
                     {"clean", sums.clean},
                     {"hazards", sums.hazards},
                     {"rejected", sums.rejected},
                     {"byRule", std::move(by_rule)}};
  if (sums.known > 0) summary["known"] = sums.known;
  if (!record.malformed.empty()) {
    summary["malformed"] = record.malformed.size();
  }
  if (!record.unfinished.empty()) summary["unfinished"] = record.unfinished;
  Ordered json = {{"schema", kReportSchema},
                  {"kind", "lint"},
                  {"headline",
                   {{"sentence", headline.sentence},
                    {"tone", headline.tone},
                    {"notLookedAt", headline.not_looked_at}}}};
  AddComplete(ReasonsOf(record), json);
  json["groups"] = LintList(GroupsOf(record), GroupJson);
  json["cases"] = LintList(record.cases, CaseJson);
  json["summary"] = std::move(summary);
  return LayOut(json);
}

}  // namespace lanediff::reports

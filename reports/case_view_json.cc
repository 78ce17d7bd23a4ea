#include "reports/case_view_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "reports/step_view_json.h"

namespace lanediff::reports {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson RuleIds(const std::vector<isa::RuleId>& rules) {
  OrderedJson json = OrderedJson::array();
  for (const isa::RuleId rule : rules) json.push_back(rule.text());
  return json;
}

OrderedJson DifferenceJson(const diff::ElementDifference& d) {
  OrderedJson json = {{"memory", isa::Name(d.memory)},
                      {"at", d.at},
                      {"dtype", isa::Name(d.dtype)},
                      {"operand", d.operand},
                      {"iteration", d.iteration},
                      {"lane", d.lane},
                      {"expected", DescribeElement(d.dtype, d.expected)},
                      {"actual", DescribeElement(d.dtype, d.actual)}};
  if (d.before) json["before"] = DescribeElement(d.dtype, *d.before);
  json["ulp"] = std::to_string(d.ulp);  // may be beyond 2^53
  json["differingBytes"] = d.differing_bytes;
  return json;
}

OrderedJson FindingJson(const diff::Finding& finding) {
  OrderedJson json = {{"kind", isa::Name(finding.kind)},
                      {"side", finding.side},
                      {"reference", finding.reference},
                      {"step", finding.step},
                      {"op", finding.op},
                      {"signature", finding.signature},
                      {"message", finding.message}};
  if (!finding.expected_rules.empty() || !finding.actual_rules.empty()) {
    json["expectedRules"] = RuleIds(finding.expected_rules);
    json["actualRules"] = RuleIds(finding.actual_rules);
  }
  if (finding.difference) {
    json["difference"] = DifferenceJson(*finding.difference);
  }
  return json;
}

OrderedJson SidesJson(const view::Sides& sides) {
  OrderedJson json = {{"outcomes", OrderedJson::array()},
                      {"columns", sides.columns},
                      {"rows", OrderedJson::array()},
                      {"differ", sides.differ},
                      {"maybeMore", sides.maybe_more},
                      {"writtenBytes", sides.written_bytes},
                      {"unspecifiedBytes", sides.unspecified_bytes}};
  for (const view::Side& side : sides.sides) {
    json["outcomes"].push_back({{"side", side.name}, {"text", side.outcome}});
  }
  for (const view::ElementRow& row : sides.rows) {
    OrderedJson values = OrderedJson::array();
    for (const std::uint64_t bits : row.bits) {
      values.push_back(DescribeElement(row.dtype, bits));
    }
    json["rows"].push_back({{"memory", isa::Name(row.memory)},
                            {"at", row.at},
                            {"dtype", isa::Name(row.dtype)},
                            {"operand", row.operand},
                            {"iteration", row.iteration},
                            {"lane", row.lane},
                            {"values", std::move(values)},
                            {"differs", row.differs}});
  }
  return json;
}

/// Texts of the rules that the steps name, each once.
OrderedJson RuleTexts(const std::vector<view::StepView>& steps) {
  OrderedJson json = OrderedJson::object();
  for (const view::StepView& step : steps) {
    for (const view::RuleUse& use : step.rules) {
      const std::string id(use.rule->id.text());
      if (json.contains(id)) continue;
      json[id] = {{"effect", isa::Name(use.rule->effect)},
                  {"document", view::DocumentsOf(*use.rule)},
                  {"statement", use.rule->statement}};
    }
  }
  return json;
}

}  // namespace

std::string CaseViewJson(const view::CaseView& view) {
  OrderedJson json = {{"id", view.id},
                      {"note", view.note},
                      {"product", isa::Name(view.product)},
                      {"edition", isa::Name(view.edition)},
                      {"target", view.target},
                      {"reference", view.reference},
                      {"targetWasRun", view.target_was_run},
                      {"unsupported", view.unsupported},
                      {"why", view.why},
                      {"reproduce", view.reproduce},
                      {"requirement", RuleIds(view.requirement)},
                      {"findings", OrderedJson::array()},
                      {"omittedFindings", view.omitted_findings},
                      {"sides", SidesJson(view.sides)},
                      {"programSteps", view.program_steps},
                      {"omittedSteps", view.omitted_steps},
                      {"focus", view.focus},
                      {"nodeColumns", NodeColumns()},
                      {"steps", OrderedJson::array()},
                      {"rules", RuleTexts(view.steps)}};
  for (const diff::Finding& finding : view.findings) {
    json["findings"].push_back(FindingJson(finding));
  }
  for (const view::StepView& step : view.steps) {
    json["steps"].push_back(StepViewJson(step));
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace lanediff::reports

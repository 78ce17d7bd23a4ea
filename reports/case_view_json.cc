#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "differential/testcase/element.h"
#include "differential/testcase/kernel_json.h"
#include "isa/memory_map.h"
#include "reports/html.h"

namespace lanediff::reports {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class T, class Print>
OrderedJson JsonList(const std::vector<T>& all, Print print) {
  OrderedJson json = OrderedJson::array();
  for (const T& one : all) json.push_back(print(one));
  return json;
}

OrderedJson RuleIds(const std::vector<isa::RuleId>& rules) {
  return JsonList(rules, [](isa::RuleId rule) { return rule.text(); });
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

OrderedJson CaseFindingJson(const diff::Finding& finding) {
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
  const auto side_json = [](const view::Side& side) {
    return OrderedJson{{"side", side.name}, {"text", side.outcome}};
  };
  const auto row_json = [](const view::ElementRow& row) {
    return OrderedJson{{"memory", isa::Name(row.memory)},
                       {"at", row.at},
                       {"dtype", isa::Name(row.dtype)},
                       {"operand", row.operand},
                       {"iteration", row.iteration},
                       {"lane", row.lane},
                       {"values", JsonList(row.bits,
                                           [&](std::uint64_t bits) {
                                             return DescribeElement(row.dtype,
                                                                    bits);
                                           })},
                       {"differs", row.differs}};
  };
  return {{"outcomes", JsonList(sides.sides, side_json)},
          {"columns", sides.columns},
          {"rows", JsonList(sides.rows, row_json)},
          {"differ", sides.differ},
          {"maybeMore", sides.maybe_more},
          {"writtenBytes", sides.written_bytes},
          {"unspecifiedBytes", sides.unspecified_bytes}};
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

std::string_view StatusText(isa::StepResult::Status status) {
  constexpr std::string_view kTexts[] = {"executed", "rejected", "unsupported"};
  return kTexts[static_cast<std::size_t>(status)];
}

OrderedJson CountsJson(const view::NodeCounts& counts) {
  OrderedJson json = {{"all", counts.all},
                      {"rounded", counts.rounded},
                      {"ties", counts.tied},
                      {"saturated", counts.saturated},
                      {"nan", counts.nan}};
  if (counts.wrapped > 0) json["wrapped"] = counts.wrapped;  // of integers only
  return json;
}

std::string_view ArithmeticText(view::Arithmetic arithmetic) {
  constexpr std::string_view kTexts[] = {"none", "lanes", "tree", "phases"};
  return kTexts[static_cast<std::size_t>(arithmetic)];
}

/// What happened, one letter each: rounded, tie, saturated, wrapped, NaN.
std::string EventLetters(const oracle::Node& node) {
  std::string letters;
  if (node.rounded) letters += 'r';
  if (node.tie) letters += 't';
  if (node.saturated) letters += 's';
  if (node.wrapped) letters += 'w';
  if (view::MeetsNan(node)) letters += 'n';
  return letters;
}

/// The members of `NodeJson`.
constexpr std::array<std::string_view, 8> kNodeColumns = {
    "level", "index", "operation", "left",
    "right", "exact", "result",    "events"};

OrderedJson NodeJson(const oracle::Node& node) {
  const auto text = [&](std::uint64_t bits) {
    return DescribeElement(node.dtype, bits);
  };
  const auto result =
      DescribeElement(node.result_dtype.value_or(node.dtype), node.result);
  std::string right = text(node.right);
  if (node.third) right += ", " + text(*node.third);
  return {node.level, node.index, node.operation, text(node.left),
          right,      node.exact, result,         EventLetters(node)};
}

OrderedJson AccessJson(const view::AccessView& access) {
  constexpr std::array<std::string_view, 3> kKinds = {"r", "w", "m"};
  return {access.operand, kKinds[static_cast<std::size_t>(access.kind)],
          access.at, access.bytes, access.lane};
}

OrderedJson IterationJson(const view::IterationView& iteration) {
  OrderedJson json = {{"number", iteration.number},
                      {"accesses", JsonList(iteration.accesses, AccessJson)}};
  if (iteration.omitted_accesses > 0) {
    json["omittedAccesses"] = iteration.omitted_accesses;
  }
  if (iteration.counts.all == 0) return json;
  json["counts"] = CountsJson(iteration.counts);
  json["nodes"] = JsonList(iteration.nodes, NodeJson);
  json["omittedNodes"] = iteration.omitted_nodes;
  return json;
}

std::string Values(isa::DType dtype, const std::vector<std::uint8_t>& bytes) {
  const auto size = static_cast<std::size_t>(isa::SizeBytes(dtype));
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    texts.push_back(
        ElementToText(dtype, LoadElement(dtype, std::span(bytes).subspan(at)))
            .text);
  }
  const bool alike = std::ranges::adjacent_find(
                         texts, std::ranges::not_equal_to()) == texts.end();
  if (alike && !texts.empty()) return texts.front();
  return fmt::format("{}", fmt::join(texts, " "));
}

OrderedJson BytesJson(isa::DType dtype,
                      const std::vector<std::uint8_t>& bytes) {
  return {{"hex", HexBytes(bytes)}, {"values", Values(dtype, bytes)}};
}

/// A letter for each byte: read, written, both or neither.
std::string TouchedLetters(const view::BlockView& block) {
  constexpr std::string_view kLetters = ".rwb";
  std::string letters;
  for (const std::uint8_t touched : block.touched) {
    letters += kLetters[touched & 3U];
  }
  return letters;
}

OrderedJson BlockJson(const view::BlockView& block) {
  OrderedJson json = {{"memory", isa::Name(block.memory)},
                      {"number", block.number},
                      {"operands", block.operands},
                      {"dtype", isa::Name(block.dtype)},
                      {"touched", TouchedLetters(block)}};
  if (block.omitted_before > 0) json["omittedBefore"] = block.omitted_before;
  if (block.before.empty()) return json;
  json["before"] = BytesJson(block.dtype, block.before);
  if (block.after != block.before) {
    json["after"] = BytesJson(block.dtype, block.after);
  }
  if (!block.differing.empty()) {
    json["actual"] = BytesJson(block.dtype, block.actual);
    json["differing"] = block.differing;
  }
  return json;
}

OrderedJson OverlapJson(const view::Overlap& overlap) {
  return {{"meeting", isa::Name(overlap.meeting)},
          {"memory", isa::Name(overlap.memory)},
          {"at", overlap.at},
          {"bytes", overlap.bytes},
          {"first", overlap.first},
          {"second", overlap.second}};
}

OrderedJson RuleUseJson(const view::RuleUse& use) {
  OrderedJson json = {{"id", use.rule->id.text()},
                      {"verdict", isa::Name(use.verdict)}};
  if (!use.out_of_range.empty()) json["values"] = use.out_of_range;
  if (!use.witnesses.empty()) json["witness"] = use.witnesses;
  return json;
}

OrderedJson WindowJson(const view::Window& window) {
  return {{"operand", window.operand},
          {"position", isa::Name(window.position)},
          {"memory", isa::Name(window.memory)},
          {"dtype", isa::Name(window.dtype)},
          {"at", std::to_string(window.at)},  // may be beyond 2^53
          {"bytes", std::to_string(window.bytes)}};
}

OrderedJson TrueResultJson(const view::TrueResultView& result) {
  OrderedJson json = {
      {"iteration", result.iteration},
      {"lane", result.lane},
      {"at", result.at},
      {"exact", result.exact},
      {"written", DescribeElement(result.dtype, result.written)}};
  const auto& [nearest, ulp] = result.nearest;
  if (nearest) json["nearest"] = DescribeElement(result.dtype, *nearest);
  if (ulp) json["ulp"] = std::to_string(*ulp);  // may be beyond 2^53
  return json;
}

OrderedJson PhaseJson(const view::PhaseView& phase) {
  return {{"name", phase.phase.name},
          {"meaning", phase.phase.meaning},
          {"firstLevel", phase.phase.first_level},
          {"lastLevel", phase.phase.last_level},
          {"counts", CountsJson(phase.counts)}};
}

void AddCall(const view::StepView& step, OrderedJson& json) {
  json["fields"] = JsonList(step.fields, [](const view::FieldText& field) {
    return OrderedJson{{"name", field.name}, {"value", field.value}};
  });
  json["rules"] = JsonList(step.rules, RuleUseJson);
  if (!step.repair.empty()) json["repair"] = step.repair;
  json["windows"] = JsonList(step.windows, WindowJson);
  if (step.shared.empty()) return;
  json["shared"] = JsonList(step.shared, [](const view::SharedBytes& shared) {
    return OrderedJson{{"first", shared.first},
                       {"second", shared.second},
                       {"memory", isa::Name(shared.memory)},
                       {"at", std::to_string(shared.at)},
                       {"bytes", std::to_string(shared.bytes)}};
  });
}

void AddMemory(const view::StepView& step, OrderedJson& json) {
  json["iterationWord"] = step.iteration_word;
  json["iterations"] = step.iterations;
  json["focus"] = step.focus;
  json["shown"] = JsonList(step.shown, IterationJson);
  json["operands"] =
      JsonList(step.operands, [](const view::OperandView& operand) {
        return OrderedJson{{"name", operand.name},
                           {"memory", isa::Name(operand.memory)},
                           {"dtype", isa::Name(operand.dtype)}};
      });
  json["blocks"] = JsonList(step.blocks, BlockJson);
  json["omittedBlocks"] = step.omitted_blocks;
  json["overlaps"] = JsonList(step.overlaps, OverlapJson);
  json["omittedOverlaps"] = step.omitted_overlaps;
  if (step.has_mask) {
    json["lanes"] = {{"drawing", step.lanes.drawing},
                     {"takingPart", step.lanes.taking_part},
                     {"dtype", isa::Name(step.lane_dtype)},
                     {"origin", step.mask_origin}};
  }
}

OrderedJson StepViewJson(const view::StepView& step) {
  OrderedJson json = {{"index", step.index},
                      {"op", step.op},
                      {"status", StatusText(step.result.status)}};
  AddCall(step, json);
  if (step.windows.empty()) return json;  // it sets machine state
  json["extended"] = step.extended;
  AddMemory(step, json);
  if (step.counts.all == 0) return json;
  json["arithmetic"] = ArithmeticText(step.arithmetic);
  json["counts"] = CountsJson(step.counts);
  if (!step.phases.empty()) json["phases"] = JsonList(step.phases, PhaseJson);
  if (!step.true_results.empty()) {
    json["trueResults"] = JsonList(step.true_results, TrueResultJson);
    json["omittedTrueResults"] = step.omitted_true_results;
  }
  return json;
}

}  // namespace

std::string CaseViewJson(const view::CaseView& view) {
  const OrderedJson json = {
      {"id", view.id},
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
      {"findings", JsonList(view.findings, CaseFindingJson)},
      {"omittedFindings", view.omitted_findings},
      {"sides", SidesJson(view.sides)},
      {"programSteps", view.program_steps},
      {"omittedSteps", view.omitted_steps},
      {"focus", view.focus},
      {"nodeColumns", kNodeColumns},
      {"steps", JsonList(view.steps, StepViewJson)},
      {"rules", RuleTexts(view.steps)}};
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace lanediff::reports

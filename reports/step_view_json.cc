#include "reports/step_view_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::reports {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string_view StatusText(isa::StepResult::Status status) {
  switch (status) {
    case isa::StepResult::Status::kExecuted:
      return "executed";
    case isa::StepResult::Status::kRejected:
      return "rejected";
    case isa::StepResult::Status::kUnsupported:
      return "unsupported";
  }
  return "";
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
  constexpr std::array<std::string_view, 4> kTexts = {"none", "lanes", "tree",
                                                      "phases"};
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

OrderedJson NodeJson(const oracle::Node& node) {
  const auto text = [&](std::uint64_t bits) {
    return DescribeElement(node.dtype, bits);
  };
  return {node.level,       node.index, node.operation,    text(node.left),
          text(node.right), node.exact, text(node.result), EventLetters(node)};
}

OrderedJson AccessJson(const view::AccessView& access) {
  constexpr std::array<std::string_view, 3> kKinds = {"r", "w", "m"};
  return {access.operand, kKinds[static_cast<std::size_t>(access.kind)],
          access.at, access.bytes, access.lane};
}

OrderedJson IterationJson(const view::IterationView& iteration) {
  OrderedJson json = {{"number", iteration.number},
                      {"accesses", OrderedJson::array()}};
  for (const view::AccessView& access : iteration.accesses) {
    json["accesses"].push_back(AccessJson(access));
  }
  if (iteration.omitted_accesses > 0) {
    json["omittedAccesses"] = iteration.omitted_accesses;
  }
  if (iteration.counts.all == 0) return json;
  json["counts"] = CountsJson(iteration.counts);
  json["nodes"] = OrderedJson::array();
  for (const oracle::Node& node : iteration.nodes) {
    json["nodes"].push_back(NodeJson(node));
  }
  json["omittedNodes"] = iteration.omitted_nodes;
  return json;
}

std::string Hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
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
  return {{"hex", Hex(bytes)}, {"values", Values(dtype, bytes)}};
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

OrderedJson RulesJson(const std::vector<view::RuleUse>& rules) {
  OrderedJson json = OrderedJson::array();
  for (const view::RuleUse& use : rules) {
    OrderedJson entry = {{"id", use.rule->id.text()},
                         {"verdict", isa::Name(use.verdict)}};
    if (!use.out_of_range.empty()) entry["values"] = use.out_of_range;
    if (!use.witnesses.empty()) entry["witness"] = use.witnesses;
    json.push_back(std::move(entry));
  }
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

template <class T, class Print>
OrderedJson List(const std::vector<T>& all, Print print) {
  OrderedJson json = OrderedJson::array();
  for (const T& one : all) json.push_back(print(one));
  return json;
}

void AddCall(const view::StepView& step, OrderedJson& json) {
  json["fields"] = List(step.fields, [](const view::FieldText& field) {
    return OrderedJson{{"name", field.name}, {"value", field.value}};
  });
  json["rules"] = RulesJson(step.rules);
  if (!step.repair.empty()) json["repair"] = step.repair;
  json["windows"] = List(step.windows, WindowJson);
  if (step.shared.empty()) return;
  json["shared"] = List(step.shared, [](const view::SharedBytes& shared) {
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
  json["shown"] = List(step.shown, IterationJson);
  json["operands"] = List(step.operands, [](const view::OperandView& operand) {
    return OrderedJson{{"name", operand.name},
                       {"memory", isa::Name(operand.memory)},
                       {"dtype", isa::Name(operand.dtype)}};
  });
  json["blocks"] = List(step.blocks, BlockJson);
  json["omittedBlocks"] = step.omitted_blocks;
  json["overlaps"] = List(step.overlaps, OverlapJson);
  json["omittedOverlaps"] = step.omitted_overlaps;
  if (step.has_mask) {
    json["lanes"] = {{"drawing", step.lanes.drawing},
                     {"takingPart", step.lanes.taking_part},
                     {"dtype", isa::Name(step.lane_dtype)},
                     {"origin", step.mask_origin}};
  }
}

}  // namespace

OrderedJson NodeColumns() {
  return {"level", "index", "operation", "left",
          "right", "exact", "result",    "events"};
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
  if (!step.phases.empty()) json["phases"] = List(step.phases, PhaseJson);
  if (!step.true_results.empty()) {
    json["trueResults"] = List(step.true_results, TrueResultJson);
    json["omittedTrueResults"] = step.omitted_true_results;
  }
  return json;
}

}  // namespace lanediff::reports

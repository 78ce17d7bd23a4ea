#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "differential/testcase/element.h"
#include "tools/cli/verbs/explain/arithmetic.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

using oracle::Node;
using view::kNoEvent;
using view::RankOf;

/// Nodes that are shown unless all are requested.
constexpr std::size_t kFewNodes = 12;

std::string EventsOf(const Node& node) {
  std::string events;
  if (node.tie) {
    events += "  ROUNDED, tie to even";
  } else if (node.rounded) {
    events += "  ROUNDED";
  }
  if (node.saturated) events += "  SATURATED";
  if (node.wrapped) events += "  WRAPPED";
  return events;
}

std::string NodeText(const Node& node) {
  const auto show = [&](std::uint64_t bits) {
    return ElementToText(node.dtype, bits).text;
  };
  const std::string inputs =
      node.operation == "write"
          ? show(node.left)
          : fmt::format("{}, {}", show(node.left), show(node.right));
  return fmt::format("{} {} = {} → {}{}", node.operation, inputs,
                     ShortDecimal(node.exact),
                     DescribeElement(node.dtype, node.result), EventsOf(node));
}

/// The indices of the nodes to show, in the order of execution.
std::vector<std::size_t> Selection(const StepFacts& facts) {
  std::vector<std::size_t> chosen;
  const bool everything = facts.all || facts.nodes.size() <= kFewNodes;
  for (std::size_t i = 0; i < facts.nodes.size(); ++i) {
    if (everything || RankOf(facts.nodes[i]) < kNoEvent) chosen.push_back(i);
  }
  if (everything || chosen.size() <= kFewNodes) return chosen;
  std::ranges::sort(chosen, {}, [&](std::size_t i) {
    const Node& node = facts.nodes[i];
    return std::tuple(node.iteration != facts.focus, RankOf(node), i);
  });
  chosen.resize(kFewNodes);
  std::ranges::sort(chosen);
  return chosen;
}

void PrintTrueResult(const oracle::TrueResult& result, isa::DType type) {
  fmt::print("    iteration {}: exact {}\n", result.iteration,
             ShortDecimal(result.exact));
  const std::string written = DescribeElement(type, result.bits);
  const auto [nearest, ulp] = view::NearestOf(type, result.exact, result.bits);
  if (!nearest) {
    fmt::print("      no finite {}; written is {}\n", isa::Name(type), written);
    return;
  }
  std::string distance = ", at no distance from a NaN";
  if (ulp) distance = *ulp == 0 ? "" : fmt::format(", {} ULP from it", *ulp);
  fmt::print("      nearest {} is {}; written is {}{}\n", isa::Name(type),
             DescribeElement(type, *nearest), written, distance);
}

}  // namespace

std::string Text(const NodeCounts& counts) {
  std::string text = Counted(counts.all, "node") + ":";
  if (counts.rounded == 0) {
    text += counts.outside == 0 ? " all exact" : " none rounded";
  }
  if (counts.rounded > 0) text += fmt::format(" {} rounded", counts.rounded);
  if (counts.tied > 0) text += fmt::format(" ({} of them ties)", counts.tied);
  if (counts.saturated > 0) {
    text += fmt::format(", {} saturated", counts.saturated);
  }
  if (counts.wrapped > 0) text += fmt::format(", {} wrapped", counts.wrapped);
  if (counts.nan > 0) text += fmt::format(", {} with NaN", counts.nan);
  return text;
}

void PrintNodes(const StepFacts& facts,
                const std::function<std::string(const Node&)>& place) {
  if (facts.nodes.empty()) {
    fmt::print("  arithmetic: none\n");
    return;
  }
  NodeCounts counts;
  for (const Node& node : facts.nodes) counts.Add(node);
  fmt::print("  arithmetic, {}\n", Text(counts));
  const std::vector<std::size_t> chosen = Selection(facts);
  for (const std::size_t i : chosen) {
    const Node& node = facts.nodes[i];
    fmt::print("    iteration {} {}: {}\n", node.iteration, place(node),
               NodeText(node));
  }
  std::int64_t events = 0;
  for (const Node& node : facts.nodes)
    events += RankOf(node) < kNoEvent ? 1 : 0;
  const auto shown = static_cast<std::int64_t>(chosen.size());
  if (chosen.size() < facts.nodes.size()) {
    const std::int64_t more = std::max<std::int64_t>(events - shown, 0);
    if (events == 0) {
      fmt::print("    none rounded, saturated or with NaN; --all shows them\n");
      return;
    }
    fmt::print(
        "    … {} more rounded, saturated or with NaN, {} without event; "
        "--all shows them\n",
        more, counts.all - shown - more);
  }
}

void PrintTrueResults(const StepFacts& facts, isa::DType type) {
  if (facts.true_results.empty()) return;
  fmt::print("  true results, unrounded\n");
  const auto total = static_cast<std::int64_t>(facts.true_results.size());
  for (const oracle::TrueResult& result : facts.true_results) {
    if (facts.all || result.iteration == facts.focus) {
      PrintTrueResult(result, type);
    }
  }
  if (!facts.all && total > 1) {
    fmt::print("    … {} left out; --all shows them\n",
               Counted(total - 1, "iteration"));
  }
}

}  // namespace lanediff::cli::explain

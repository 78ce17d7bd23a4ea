#include "isa/trowprod.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/element.h"
#include "oracle/product_bound.h"
#include "reports/trace/phases.h"
#include "tools/cli/verbs/explain/arithmetic.h"
#include "tools/cli/verbs/explain/blocks.h"
#include "tools/cli/verbs/explain/instructions.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

using isa::Trowprod;
using view::Phase;
using view::PhasesOf;

void PrintTree(const Trowprod& call, const std::vector<Phase>& phases,
               const StepFacts& facts) {
  const std::int64_t columns = call.src.valid_col;
  const std::int64_t lanes = 256 / ElementBytes(call.dtype);
  fmt::print("  product of a row, order {}{}: {} = {} of {} lanes and {}\n",
             isa::Name(call.order.value_or(isa::Order::kDocumented)),
             call.order ? "" : " (the default)", Counted(columns, "column"),
             Counted(columns / lanes, "repeat"), lanes,
             Counted(columns % lanes, "tail column"));
  for (const Phase& phase : phases) {
    NodeCounts counts;
    for (const oracle::Node& node : facts.nodes) {
      const bool inside =
          node.level >= phase.first_level && node.level <= phase.last_level;
      if (inside && node.iteration == facts.focus) counts.Add(node);
    }
    const std::string levels =
        phase.first_level == phase.last_level
            ? fmt::format("level {}", phase.first_level)
            : fmt::format("levels {}-{}", phase.first_level, phase.last_level);
    PrintWrapped(fmt::format("    {:<10} {:<11} ", phase.name, levels),
                 fmt::format("{}; row {}: {}", phase.meaning, facts.focus,
                             Text(counts)));
  }
}

std::string PlaceOf(const std::vector<Phase>& phases,
                    const oracle::Node& node) {
  const auto phase = std::ranges::find_if(phases, [&](const Phase& p) {
    return node.level >= p.first_level && node.level <= p.last_level;
  });
  return fmt::format("level {}{} lane {}", node.level,
                     phase == phases.end() ? "" : " " + phase->name,
                     node.index);
}

/// The factors of a row. No tile of the call overlaps src, so that they are
/// still there after the step.
std::vector<std::uint64_t> FactorsOf(const StepFacts& facts, std::int64_t row) {
  std::vector<std::uint64_t> factors;
  for (const isa::Access& access : facts.accesses) {
    if (access.write || access.iteration != row) continue;
    const std::span<const std::uint8_t> memory = facts.memory[access.memory];
    const std::int64_t bytes = ElementBytes(access.dtype);
    for (std::int64_t at = 0; at < access.bytes; at += bytes) {
      factors.push_back(LoadElement(
          access.dtype,
          std::span(memory).subspan(static_cast<std::size_t>(access.at + at))));
    }
  }
  return factors;
}

void PrintBound(const Trowprod& call, const StepFacts& facts) {
  for (const oracle::TrueResult& result : facts.true_results) {
    if (result.iteration != facts.focus) continue;
    const std::optional<bool> within = oracle::WithinProductBound(
        call.dtype, FactorsOf(facts, result.iteration), result.bits);
    fmt::print("    error bound (1+2^-{})^{} - 1: {}\n",
               call.dtype == isa::DType::kHalf ? 11 : 24,
               call.src.valid_col - 1,
               !within   ? "undefined for zeros, NaNs, overflow and underflow"
               : *within ? "kept"
                         : "EXCEEDED, an operation under- or overflowed");
  }
}

}  // namespace

void Picture(const Trowprod& call, const StepFacts& facts) {
  PrintBlocks(facts, "row");
  const std::vector<Phase> phases = PhasesOf(call, facts.nodes);
  PrintTree(call, phases, facts);
  PrintNodes(facts,
             [&](const oracle::Node& node) { return PlaceOf(phases, node); });
  PrintTrueResults(facts, call.dtype);
  PrintBound(call, facts);
}

}  // namespace lanediff::cli::explain

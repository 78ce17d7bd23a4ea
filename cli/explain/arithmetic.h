#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "cli/explain/facts.h"
#include "isa/rule.h"
#include "isa/step.h"

namespace lanediff::cli::explain {

/// Whether the executed step made use of a rule of the machine (STATE-*,
/// ARITH-*): rounding needs an add or a multiply, the rules of zeros, NaNs and
/// subnormals need such a value among the nodes.
bool UsesCommon(const isa::Step& step, isa::RuleId rule,
                const StepFacts& facts);

/// How many nodes something happened to.
struct NodeCounts {
  std::int64_t all = 0;
  std::int64_t rounded = 0;  ///< ties among them
  std::int64_t tied = 0;
  std::int64_t saturated = 0;
  std::int64_t nan = 0;  ///< a NaN comes in or would go out

  void Add(const oracle::Node& node);
};

/// "127 nodes: 86 rounded, 12 of them ties, 1 saturated".
std::string Text(const NodeCounts& counts);

/// Prints how many nodes there were and those in which something happened: of
/// the iteration in focus first, saturation and NaNs before ties before other
/// rounding, as many as fit. `place` says in words where a node stands.
void PrintNodes(const StepFacts& facts,
                const std::function<std::string(const oracle::Node&)>& place);

/// Prints the exact result of the iteration in focus (of all, if everything is
/// asked for) beside its nearest representable value and what was written.
void PrintTrueResults(const StepFacts& facts, isa::DType type);

}  // namespace lanediff::cli::explain

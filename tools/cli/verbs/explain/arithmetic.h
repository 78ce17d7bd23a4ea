#pragma once

#include <functional>
#include <string>

#include "reports/trace/arithmetic.h"
#include "tools/cli/verbs/explain/facts.h"

namespace lanediff::cli::explain {

using view::NodeCounts;

/// "127 nodes: 86 rounded, 12 of them ties, 1 saturated".
std::string Text(const NodeCounts& counts);

/// Prints how many nodes there were and those in which something happened: of
/// the iteration in focus first, saturation and NaNs before ties before other
/// rounding, as many as fit. `place` describes where a node stands.
void PrintNodes(const StepFacts& facts,
                const std::function<std::string(const oracle::Node&)>& place);

/// Prints the exact result of the iteration in focus (of all, if everything is
/// requested) beside its nearest representable value and what was written.
void PrintTrueResults(const StepFacts& facts, isa::DType type);

}  // namespace lanediff::cli::explain

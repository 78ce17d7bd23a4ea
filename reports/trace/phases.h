#pragma once

#include <string>
#include <vector>

#include "isa/trowprod.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// Consecutive levels of nodes that do one thing (TRP-ORDER).
struct Phase {
  std::string name;     ///< "pairs", "fold", …
  std::string meaning;  ///< what meets what
  int first_level = 0;
  int last_level = 0;
};

/// The phases in which an order multiplies a row, from the row's traced
/// `nodes`: at least one.
std::vector<Phase> PhasesOf(const isa::Trowprod& call,
                            const std::vector<oracle::Node>& nodes);

}  // namespace lanediff::view

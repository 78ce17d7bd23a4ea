#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isa/step.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// Values for slots of a call that might make it legal.
struct Trial {
  std::vector<std::pair<std::string, SlotValue>> values;
  /// How far from what was written, 0 the nearest; compares trials.
  double distance = 0;
  /// Of mistakes of units: why it is likely what was meant, to be followed by
  /// nothing.
  std::string why = {};

  isa::Step On(const isa::Step& step) const {
    isa::Step changed = step;
    for (const auto& [name, value] : values) {
      changed = With(changed, name, value);
    }
    return changed;
  }
};

/// What was meant if numbers were given in other units, fewest slots first:
/// strides, lengths and gaps in bytes or elements, gaps from head to head,
/// counts in bytes or rounded up, lanes beyond the type's.
std::vector<Trial> UnitTrials(const Situation& situation);

/// Single slots at other values, for each witness those that may heal it.
std::vector<Trial> ValueTrials(const Situation& situation,
                               const std::vector<Witness>& witnesses);

}  // namespace lanediff::lint

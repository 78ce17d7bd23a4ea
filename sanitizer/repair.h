#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "isa/step.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// The smallest repair: fewest fields, then mistakes of units before other
/// values, beside other changes too, then the nearest values. None if there is
/// none in reach; looks at a bounded number of changes.
std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses);

/// The program with the repair in place of step `number`.
Case Repaired(const Case& c, std::size_t number, const Repair& repair);

}  // namespace lanediff::lint

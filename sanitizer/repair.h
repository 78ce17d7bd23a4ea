#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "differential/records/hazard.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// The best repair of fewest fields: numbers in other units before clamped
/// ones. None if there is none in reach; a bounded number of changes is tried.
std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses);

/// The program with the repair in place of step `number`. Without the places
/// of its calls if it has more steps then.
Case Repaired(const Case& c, std::size_t number, const Repair& repair);

/// Whether `now` has at least `fewer` hazards less than `before`, rejects no
/// more steps and ends no earlier.
bool IsBetter(const Verdict& now, const Verdict& before, std::size_t fewer);

}  // namespace lanediff::lint

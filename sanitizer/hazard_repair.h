#pragma once

#include <optional>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// What takes away a hazard that lacks no call, with nothing worse: of a flag
/// that the product does not have another id; of unwritten bytes that they are
/// written before the program. `verdict` is what `Lint` reports of `c`,
/// `hazard` one of its hazards. None for every other hazard.
std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard);

/// Of the first hazards of such rules what was found.
HazardRepairs FindHazardRepairs(const Case& c, const Verdict& verdict);

/// As `c` was, if the repair has no changes and nothing to write.
Case Repaired(const Case& c, const HazardRepair& repair);

}  // namespace lanediff::lint

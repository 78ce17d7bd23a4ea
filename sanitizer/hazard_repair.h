#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// Whether the hazard lacks no call, so that a change is all there can be.
bool IsForRepair(const Hazard& hazard);

/// Whether a changed flag or barrier may take the hazard away: races, and
/// hazards of flags and barriers.
bool IsOfWords(const Hazard& hazard);

/// The nearest one: the hazard is gone with it, all hazards are fewer, and no
/// more steps are rejected. `verdict` is what `Lint` reports of `c`, `hazard`
/// one of its hazards. None if there is none in reach.
std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard);

/// Of the first hazards that are wanted and for which there may be one, what
/// was found. A hazard that lacks a call is in it only if a repair was found,
/// of itself or of another hazard with which it goes.
HazardRepairs FindHazardRepairs(
    const Case& c, const Verdict& verdict,
    bool (*is_wanted)(const Hazard&) = [](const Hazard&) { return true; });

/// As `c` was, if the repair has no changes and nothing to write.
Case Repaired(const Case& c, const HazardRepair& repair);

}  // namespace lanediff::lint

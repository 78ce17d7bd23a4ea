#pragma once

#include <string>
#include <vector>

#include "differential/records/exhaust_state.h"
#include "generators/exhaustive/space.h"
#include "reports/reasons.h"

namespace lanediff::cli {

/// What `exhaust --list` prints: every space, its size and its bounds.
std::string SpacesText();

/// One space of a run: how much there is, how much ran, what was found.
std::string ExhaustText(const make::exhaust::Space& space,
                        const make::exhaust::State& state);

/// "disagree MESSAGE" and the command that shows it again.
std::string FindingText(const make::exhaust::SavedFinding& finding,
                        const std::string& target);

/// The whole run as JSON, a state for each space.
std::string ExhaustJson(const std::vector<make::exhaust::State>& states,
                        const std::string& unfinished,
                        const reports::Reasons& reasons);

}  // namespace lanediff::cli

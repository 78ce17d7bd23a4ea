#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verbs.h"
#include "make/exhaust/state.h"

/// What `lanediff exhaust` is asked to do.
namespace lanediff::cli {

/// The names of all spaces, for messages.
std::string SpaceNames();

/// A state for each space that is named, with nothing done yet; none, with a
/// message, if the options make no sense.
std::optional<std::vector<make::exhaust::State>> PlanExhaust(
    const ExhaustOptions& options);

/// The file in which the state is kept: the one that is named or, if there is
/// none, one below the folder of results that is told by what is run.
std::string StatePath(const ExhaustOptions& options,
                      const make::exhaust::State& wanted);

}  // namespace lanediff::cli

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "differential/records/exhaust_state.h"
#include "tools/cli/target_options.h"

/// The plan of `lanediff exhaust`, from its options.
namespace lanediff::cli {

struct ExhaustOptions {
  std::vector<std::string> spaces;
  bool list = false;      ///< print the spaces and run nothing
  std::string shard;      ///< "i/n"; empty: from the environment, else all
  std::string range;      ///< "A..B", numbers of calls; empty: all
  std::int64_t jobs = 0;  ///< 0: one for each processor
  TargetOptions target;
  std::string edition;      ///< empty: the newest
  std::string state;        ///< file; empty: one for each space below `out`
  std::string out = "out";  ///< folder for findings and states
  std::string json;         ///< file; empty: none
};

/// The names of all spaces, for messages.
std::string SpaceNames();

/// A state for each space that is named, with nothing done yet; none, with a
/// message, if the options make no sense.
std::optional<std::vector<make::exhaust::State>> PlanExhaust(
    const ExhaustOptions& options);

/// The file in which the state is kept: the one that is named or, if there is
/// none, one below the folder of results, named after the space.
std::string StatePath(const ExhaustOptions& options,
                      const make::exhaust::State& wanted);

}  // namespace lanediff::cli

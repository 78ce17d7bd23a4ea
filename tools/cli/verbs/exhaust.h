#pragma once

#include <string>
#include <vector>

#include "differential/records/exhaust_state.h"

namespace lanediff::cli {

/// How `exhaust` ends, whether it ran what it tells of or shards of it were
/// merged: writes the figures to the file `json`, if there is one, and returns
/// the exit status. Prints nothing, as a run prints one space after the other.
/// `kept` says that whatever had to be saved is saved, `unfinished` why not all
/// was done, or nothing.
int FinishExhaust(const std::vector<make::exhaust::State>& states,
                  const std::string& unfinished, bool kept,
                  const std::string& json);

}  // namespace lanediff::cli

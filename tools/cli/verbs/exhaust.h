#pragma once

#include <string>
#include <vector>

#include "differential/records/exhaust_state.h"

namespace lanediff::cli {

/// How `exhaust` ends, of one run or of merged shards: writes the figures to
/// the file `json`, if there is one, and returns the exit status. Prints
/// nothing, as a run prints one space after the other. `kept`: all that had to
/// be saved is saved; `unfinished`: why not all was done, or empty.
int FinishExhaust(const std::vector<make::exhaust::State>& states,
                  const std::string& unfinished, bool kept,
                  const std::string& json);

}  // namespace lanediff::cli

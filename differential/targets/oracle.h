#pragma once

#include <string_view>
#include <vector>

#include "differential/targets/target_kind.h"

namespace lanediff::diff {

/// The oracle, as a list of one.
std::vector<const Target*> ListedOracles();

FoundTarget FindOracle(std::string_view name);

}  // namespace lanediff::diff

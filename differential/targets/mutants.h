#pragma once

#include <string_view>

#include "differential/targets/target_kind.h"

namespace lanediff::diff {

inline constexpr std::string_view kMutantPrefix = "mutant:";

/// `mutant:NAME`, the emulator with a defect of emulator/mutants/mutant.h.
FoundTarget FindMutantTarget(std::string_view name);

}  // namespace lanediff::diff

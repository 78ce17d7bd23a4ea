#pragma once

#include <optional>
#include <span>
#include <string>

#include "isa/access.h"
#include "isa/carried.h"

namespace lanediff::machine {

/// KRN-OVERLAP: what of an unaudited call's operands overlaps as it must not;
/// nothing where all is well. `accesses` are the call's, each iteration's
/// together.
std::optional<std::string> BadOverlap(const isa::Carried& call,
                                      std::span<const isa::Access> accesses);

}  // namespace lanediff::machine

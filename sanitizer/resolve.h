#pragma once

#include <vector>

#include "differential/records/hazard.h"
#include "isa/access.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/races.h"

namespace lanediff::lint {

/// Which accesses a race is between: the bytes of the hazard, and operand and
/// iteration of both places. `earlier` and `later` are the steps' accesses.
void Resolve(const Race& race, const std::vector<isa::Access>& earlier,
             const std::vector<isa::Access>& later, Hazard& hazard);

/// The same of bytes that nothing has written.
void Resolve(const InitRead& read, const std::vector<isa::Access>& accesses,
             Hazard& hazard);

}  // namespace lanediff::lint

#pragma once

#include <vector>

#include "audit/fault_localization.h"
#include "reports/character_record.h"

namespace lanediff::character {

/// What the answers show of rules: orders, roundings, subnormal numbers, signs
/// of zero and mask registers other than the documented ones speak against
/// their rule, a rounding to nearest even for its own. Answers that decide
/// nothing, such as `unsupported`, show nothing.
std::vector<audit::Measurement> MeasurementsOf(const Character& character);

}  // namespace lanediff::character

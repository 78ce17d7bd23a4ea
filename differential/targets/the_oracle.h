#pragma once

#include "differential/targets/target.h"

namespace lanediff::diff {

/// The oracle as a target: the reference, and what expectations are made by.
const StepwiseTarget& TheOracle();

}  // namespace lanediff::diff

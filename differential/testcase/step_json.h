#pragma once

#include <nlohmann/json_fwd.hpp>

#include "isa/step.h"

namespace lanediff {

/// One step as it stands in a program.
nlohmann::ordered_json StepJson(const isa::Step& step);

}  // namespace lanediff

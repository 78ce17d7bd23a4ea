#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "differential/testcase/json.h"
#include "isa/step.h"

/// What others write as a case does.
namespace lanediff {

std::string HexBytes(std::span<const std::uint8_t> bytes);

/// One step as it stands in a program.
Json StepJson(const isa::Step& step);
/// With all that is left out where it is the default, and with the type of each
/// operand.
Json ExpandedStepJson(const isa::Step& step);

}  // namespace lanediff

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "differential/testcase/case.h"
#include "differential/testcase/json.h"
#include "differential/testcase/write_file.h"  // IWYU pragma: export
#include "isa/step.h"

namespace lanediff {

/// The canonical document of `c`: the same case always gives the same bytes.
std::string WriteCase(const Case& c);

/// The outcome document of the case called `id`, or of one that it doesn't name
/// where `id` is empty; without what was not observed.
std::string WriteOutcome(const Outcome& outcome, std::string_view id);

std::string HexBytes(std::span<const std::uint8_t> bytes);

/// One step as it stands in a program.
Json StepJson(const isa::Step& step);
/// With all that is left out where it is the default, and with the type of each
/// operand.
Json ExpandedStepJson(const isa::Step& step);

}  // namespace lanediff

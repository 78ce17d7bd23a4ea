#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "differential/testcase/case.h"
#include "differential/testcase/json.h"
#include "isa/carried.h"
#include "isa/operand.h"
#include "isa/resource.h"
#include "isa/step.h"

/// JSON of what only cases of kernels have, and of what it is made of: for
/// writers. Lists without members are empty.
namespace lanediff {

std::string HexBytes(std::span<const std::uint8_t> bytes);

Json OperandJson(const isa::Operand& operand);

Json PartJson(const std::string& text);
/// The arguments.
Json PartJson(const isa::Resource& resource);
Json PartJson(const isa::Arguments& parameters);
Json PartJson(const isa::CarriedOperands& operands);
/// Without what is the default.
Json PartJson(const isa::CarriedMask& mask);
Json PartJson(const isa::CarriedReads& reads);
Json PartJson(const isa::CarriedWrites& writes);

Json SourceJson(const StepSource& source);

/// One step as it stands in a program.
Json StepJson(const isa::Step& step);

}  // namespace lanediff

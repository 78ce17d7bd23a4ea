#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "differential/testcase/case.h"
#include "isa/carried.h"
#include "isa/operand.h"
#include "isa/resource.h"
#include "isa/step.h"

/// JSON of what only cases of kernels have, and of what it is made of: for
/// writers. Lists without members are empty.
namespace lanediff {

std::string HexBytes(std::span<const std::uint8_t> bytes);

nlohmann::ordered_json OperandJson(const isa::Operand& operand);

nlohmann::ordered_json PartJson(const std::string& text);
/// The arguments.
nlohmann::ordered_json PartJson(const isa::Resource& resource);
nlohmann::ordered_json PartJson(const isa::Arguments& parameters);
nlohmann::ordered_json PartJson(const isa::CarriedOperands& operands);
/// Without what is the default.
nlohmann::ordered_json PartJson(const isa::CarriedMask& mask);
nlohmann::ordered_json PartJson(const isa::CarriedReads& reads);
nlohmann::ordered_json PartJson(const isa::CarriedWrites& writes);

nlohmann::ordered_json SourceJson(const StepSource& source);

/// One step as it stands in a program.
nlohmann::ordered_json StepJson(const isa::Step& step);

}  // namespace lanediff

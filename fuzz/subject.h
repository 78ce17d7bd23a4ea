#pragma once

#include <string_view>

namespace lanediff::fuzz {

/// What a fuzz program is about: an instruction of
/// generators/random/generate.h, or a name of the program's own.
std::string_view Module();

/// The instruction of a program that is about one alone, whatever it is called;
/// empty where the program's name holds the instruction.
std::string_view OwnModule();

/// Makes it `OwnModule()`, or what stands behind "lanediff-fuzz-" in the name
/// that the program was started by; ends with status 2 where no instruction of
/// that name generates cases.
void SetModule(std::string_view program);

}  // namespace lanediff::fuzz

#pragma once

#include <string_view>

namespace lanediff::fuzz {

/// What a fuzz program is about: an instruction of
/// generators/random/generate.h, or what the program says itself.
std::string_view Module();

/// The instruction of a program that is about one alone, whatever it is called;
/// empty where its name tells.
std::string_view OwnModule();

/// Makes it `OwnModule()`, or what stands behind "lanediff-fuzz-" in the name
/// that the program was started by; ends with status 2 where no space of that
/// name generates cases.
void SetModule(std::string_view program);

}  // namespace lanediff::fuzz

#pragma once

#include <string_view>

namespace lanediff::fuzz {

/// What a fuzz program is about: a room of make/generate/generate.h, or what
/// the program says itself.
std::string_view Room();

/// The room of a program that is about one alone, whatever it is called; empty
/// where its name tells.
std::string_view OwnRoom();

/// Makes it `OwnRoom()`, or what stands behind "lanediff-fuzz-" in the name
/// that the program was started by; ends with status 2 where no room of that
/// name generates cases.
void SetRoom(std::string_view program);

}  // namespace lanediff::fuzz

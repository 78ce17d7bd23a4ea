#pragma once

#include <string>
#include <vector>

namespace lanediff::host {

/// The calls of the program that led into this library, innermost first, each
/// as "FILE+0xADDRESS" of the program or library that has its code.
std::vector<std::string> CallStack();

/// What addr2line makes of one of them, "f<half>(int) at add.cpp:24"; as it is
/// where that doesn't know.
std::string CallText(const std::string& call);

/// Whether such a text is of a header of ours, whose calls no user reads.
bool IsOurs(const std::string& text);

}  // namespace lanediff::host

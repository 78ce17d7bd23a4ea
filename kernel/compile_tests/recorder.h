#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A library of the kernel ABI that executes nothing: what arrives becomes a
/// line of text each, for tests of the headers.
namespace lanediff::recorder {

/// Lines since the last `Take`: "Add:12 dst=half@0+256 … count=16 form=count".
std::vector<std::string> Take();

/// The same without their places: "Add dst=half@0+256 …".
std::vector<std::string> TakeWithoutPlaces();

/// The products that files have reported before main.
const std::vector<std::string>& products();

/// What the next lanediff_execute gives back.
void WillReturn(std::uint64_t value);
/// The bits that lanediff_get_value gives.
void WillHold(std::uint64_t bits);

}  // namespace lanediff::recorder

#pragma once

#include <string_view>

namespace lanediff::fuzz {

/// What a fuzz program is about: a room of make/generate/generate.h. Each
/// program defines it and links the harness, which does the rest.
extern const std::string_view kRoom;

}  // namespace lanediff::fuzz

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanediff {

/// Of each step of the case that `text` spells the line, from 1, on which it
/// begins. `text` is one that the case reader takes.
std::vector<std::size_t> StepLines(std::string_view text);

}  // namespace lanediff

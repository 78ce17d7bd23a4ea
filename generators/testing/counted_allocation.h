#pragma once

#include <cstddef>

namespace lanediff::make {

/// How often the program that links this file, which replaces operator new, has
/// requested memory.
std::size_t Allocations();

}  // namespace lanediff::make

#pragma once

#include <cstdint>
#include <span>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// The bytes of each physical memory. An implementation works on them in place
/// and doesn't own them. A memory that neither the case nor its program names
/// is empty.
using Memories = PerMemory<std::span<std::uint8_t>>;

}  // namespace lanediff::isa

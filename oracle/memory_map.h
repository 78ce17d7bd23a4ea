#pragma once

#include <cstdint>
#include <optional>

#include "isa/vocabulary.h"

/// The tables of "Memories and positions" and "Data types".
namespace lanediff::oracle {

/// The physical memory behind `position` on `product`; nothing where the
/// product knows the position only as a word.
std::optional<isa::Memory> MemoryOf(isa::Product product,
                                    isa::Position position);

/// sizeof(T).
std::int64_t ElementBytes(isa::DType type);

}  // namespace lanediff::oracle

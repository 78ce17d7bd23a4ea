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

/// Bytes of `memory` on `product`; nothing for GM, which has the case's size.
std::optional<std::int64_t> CapacityOf(isa::Product product,
                                       isa::Memory memory);

/// sizeof(T).
std::int64_t ElementBytes(isa::DType type);

}  // namespace lanediff::oracle

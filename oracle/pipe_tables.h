#pragma once

#include <cstdint>
#include <optional>

#include "isa/vocabulary.h"

/// Which events, flags and barriers a product has: the table of "Operations".
namespace lanediff::oracle {

bool HasEvent(isa::Product product, isa::Event event);

/// The greatest id of a flag; the least is 0. Nothing where there are no
/// events.
std::optional<std::int64_t> GreatestFlagId(isa::Product product);

/// Whether the product has `PipeBarrier` of this pipe. S has none anywhere.
bool HasBarrier(isa::Product product, isa::Pipe pipe);

/// SYNC-FLAG-RESERVED: the id is 6 or 7, and ids go to 7.
bool IsReservedFlagId(isa::Product product, std::int64_t id);

}  // namespace lanediff::oracle

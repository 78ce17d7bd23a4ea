#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

namespace lanediff::emulator {

/// How many flags each event of `product` has, with ids from 0; 0 where there
/// are no events.
std::int64_t FlagsOf(isa::Product product);

/// Whether `product` has the event.
bool EventExists(isa::Product product, isa::Event event);

/// Whether `product` has the event, and `id` is one of its flags.
bool FlagExists(isa::Product product, isa::Event event, std::int64_t id);

}  // namespace lanediff::emulator

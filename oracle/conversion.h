#pragma once

#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/node.h"

namespace lanediff::oracle {

/// The value of `bits`, of type `from`, as a value of `to`: held in integers
/// and rounded once to nearest even (ARITH-ROUND); both types are half or
/// float. What is too large becomes infinity, a NaN the canonical one;
/// saturation mode is left to `Write`.
NodeResult Convert(isa::DType from, isa::DType to, std::uint64_t bits);

}  // namespace lanediff::oracle

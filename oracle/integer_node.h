#pragma once

#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/node.h"

/// Integer nodes: exact values, and what of them a type can hold.
namespace lanediff::oracle {

/// Whether `type` is computed as IEEE 754 has it; int16 and int32 are not.
bool IsFloating(isa::DType type);

/// The value of an int16 or int32 pattern. Sums, differences and products of
/// two such values fit 64 bits: the largest, (−2^31)², is 2^62.
std::int64_t SignedValue(isa::DType type, std::uint64_t bits);

/// *-INTEGER-OVERFLOW: `exact` as a value of `type`, int16 or int32. Outside of
/// it, the type's least or greatest value with `saturation`, else the low bits
/// in two's complement.
NodeResult Fit(isa::DType type, std::int64_t exact, bool saturation);

}  // namespace lanediff::oracle

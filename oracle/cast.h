#pragma once

#include <cstdint>
#include <string>

#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"

/// Conversions of an element to another type: the exact value, rounded once by
/// the mode (*-VALUE), and which of them there are (*-DTYPE, *-ROUND-MODE).
namespace lanediff::oracle {

/// Whether the page lists the pair of types for the product.
bool Casts(isa::Product product, isa::DType from, isa::DType to);
/// Whether it lists the mode for them, which it lists; CAST_NONE is with each.
bool CastsBy(isa::Product product, isa::DType from, isa::DType to,
             isa::RoundMode mode);

/// Of any types but uint64 and double.
NodeResult Cast(isa::DType from, isa::DType to, isa::RoundMode mode,
                std::uint64_t bits, bool saturation);

/// Of the result of a node of type `from`: to the nearest, ties to even, and 0
/// for NaN.
NodeResult CastResult(isa::DType from, isa::DType to, std::uint64_t bits,
                      bool saturation);

/// What happened in it, of results that are half or float: all of a half or
/// float, else only roundings.
void CountCast(isa::DType from, isa::DType to, std::uint64_t bits,
               const NodeResult& result, isa::NumericEvents& events);

}  // namespace lanediff::oracle

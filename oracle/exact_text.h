#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "isa/vocabulary.h"

/// Exact values of whole operations, for traces and reports: decimal without
/// exponent or rounding, or "nan", "inf", "-inf". A zero is "0"; the sign of a
/// zero belongs to the bits.
namespace lanediff::oracle {

/// The sum of half or float values given as bits.
std::string ExactSumText(isa::DType type,
                         std::span<const std::uint64_t> values);

/// The product of half, float, int16 or int32 values given as bits.
std::string ExactProductText(isa::DType type,
                             std::span<const std::uint64_t> values);

}  // namespace lanediff::oracle

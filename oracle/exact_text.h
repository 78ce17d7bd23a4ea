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

/// The sum of `term` and of the product of two others, of half or float.
std::string ExactProductAndTerm(isa::DType type, std::uint64_t left,
                                std::uint64_t right, std::uint64_t term);

/// The product of half, float, int16 or int32 values given as bits.
std::string ExactProductText(isa::DType type,
                             std::span<const std::uint64_t> values);

}  // namespace lanediff::oracle

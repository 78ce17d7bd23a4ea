#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isa/vocabulary.h"

/// How far a product of many factors may be from the true one.
namespace lanediff::oracle {

/// Whether |result/exact − 1| ≤ (1+u)^(C−1) − 1, where exact is the true
/// product of the C `factors` and u is 2^-24 for float, 2^-11 for half; decided
/// in exact integers. Nothing where there is no factor, where a factor or the
/// result is zero or not finite, or where exact leaves the type's normal range,
/// so that the bound does not apply.
std::optional<bool> WithinProductBound(isa::DType type,
                                       std::span<const std::uint64_t> factors,
                                       std::uint64_t result);

}  // namespace lanediff::oracle

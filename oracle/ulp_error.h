#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"

namespace lanediff::oracle {

/// How far the value `bits` of `type` (half, float, int16 or int32) lies from
/// `exact`, a decimal without exponent: (value − exact) / ULP, the ULP being
/// the spacing of the type at `exact`, beyond its ends that at its ends, and 1
/// of integers. Signed, with six places after the point; "…" follows digits
/// that were cut off, so that what is not zero never reads as zero. Nothing
/// where either is not finite.
std::optional<std::string> UlpError(isa::DType type, std::string_view exact,
                                    std::uint64_t bits);

}  // namespace lanediff::oracle

#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

/// Elements of one type from those of another: the pairs and modes of
/// *-DTYPE and *-ROUND-MODE, and *-VALUE plainly.
namespace lanediff::emulator {

/// Rounding modes as bits; no bit where `product` lacks the pair of types.
std::uint8_t RoundModesOf(isa::Product product, isa::DType from, isa::DType to);
constexpr std::uint8_t Bit(isa::RoundMode mode) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(mode));
}

/// The bits of an element from those of another, both zero above their width.
using Conversion = std::uint64_t (*)(std::uint64_t bits, isa::RoundMode mode,
                                     bool saturation);
/// Null where no product has the pair of types.
Conversion ConversionOf(isa::DType from, isa::DType to);

}  // namespace lanediff::emulator

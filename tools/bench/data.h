#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/vocabulary.h"

/// Data of a fixed seed: the same in every run.
namespace lanediff::bench {

/// What operands hold.
enum class Data : std::uint8_t {
  kFinite,    ///< any finite bits, all exponents alike; integers: any bits
  kNearOne,   ///< between 0.9 and 1.1 or their negatives: products stay normal;
              ///< integers: -128 to 128
  kSpecials,  ///< one in eight NaN, ±inf, ±0, subnormal or the largest, the
              ///< rest finite
};

/// The bits of elements.
std::vector<std::uint64_t> Elements(isa::DType type, std::size_t count,
                                    Data data, std::uint64_t seed);
/// Fills memory with elements.
void Fill(std::span<std::uint8_t> bytes, isa::DType type, Data data,
          std::uint64_t seed);

}  // namespace lanediff::bench

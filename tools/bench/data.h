#pragma once

#include <cstdint>
#include <span>

/// Data of a fixed seed: the same in every run.
namespace lanediff::bench {

/// What floating operands hold.
enum class Data : std::uint8_t {
  kFinite,    ///< any finite bits, all exponents alike
  kNearOne,   ///< between 0.9 and 1.1 or their negatives: products stay normal
  kSpecials,  ///< one in eight NaN, ±inf, ±0, subnormal or the largest, the
              ///< rest finite
};

void FillBytes(std::span<std::uint8_t> bytes, std::uint64_t seed);
void FillHalves(std::span<std::uint16_t> halves, Data data, std::uint64_t seed);
void FillFloats(std::span<float> floats, Data data, std::uint64_t seed);

}  // namespace lanediff::bench

#include "oracle/integer_node.h"

#include <cassert>
#include <cstdint>

namespace lanediff::oracle {

using isa::DType;

bool IsFloating(DType type) {
  return type == DType::kHalf || type == DType::kFloat;
}

std::int64_t SignedValue(DType type, std::uint64_t bits) {
  assert(type == DType::kInt16 || type == DType::kInt32);
  return type == DType::kInt16 ? std::int64_t{static_cast<std::int16_t>(bits)}
                               : std::int64_t{static_cast<std::int32_t>(bits)};
}

NodeResult Fit(DType type, std::int64_t exact, bool saturation) {
  const int width = type == DType::kInt16 ? 16 : 32;
  const std::int64_t least = -(std::int64_t{1} << (width - 1));
  const std::int64_t greatest = -least - 1;
  const bool fits = least <= exact && exact <= greatest;
  const std::int64_t end = exact < 0 ? least : greatest;
  const std::int64_t value = !fits && saturation ? end : exact;
  const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
  return {.bits = static_cast<std::uint64_t>(value) & ones,
          .saturated = !fits && saturation,
          .wrapped = !fits && !saturation};
}

}  // namespace lanediff::oracle

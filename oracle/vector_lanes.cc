#include "oracle/vector_lanes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/memory_map.h"

namespace lanediff::oracle {

LaneMask MaskOfWords(std::uint64_t high, std::uint64_t low) {
  return LaneMask(high) << 64 | LaneMask(low);
}

LaneMask MaskOfFirst(std::int64_t lanes) {
  LaneMask mask;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    mask.set(static_cast<std::size_t>(lane));
  }
  return mask;
}

std::vector<std::int64_t> LanesOf(const LaneMask& mask, isa::DType type) {
  // 128 lanes of 16 bits; 64 lanes of 32 bits, the low half of the register.
  const std::int64_t count = kIterationBytes / ElementBytes(type);
  std::vector<std::int64_t> lanes;
  for (std::int64_t lane = 0; lane < count; ++lane) {
    if (mask.test(static_cast<std::size_t>(lane))) lanes.push_back(lane);
  }
  return lanes;
}

}  // namespace lanediff::oracle

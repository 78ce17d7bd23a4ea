#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/state.h"

namespace lanediff::emulator {

using IterationBytes = std::array<std::uint8_t, kIterationBytes>;

/// All ones in the bytes of each lane that takes part.
inline IterationBytes BytesOf(const LaneMask& lanes,
                              std::int64_t element_bytes) {
  IterationBytes bytes{};
  for (const int half : {0, 64}) {
    for (std::uint64_t rest = half == 0 ? lanes.low : lanes.high; rest != 0;
         rest &= rest - 1) {
      const std::int64_t lane = half + std::countr_zero(rest);
      std::fill_n(bytes.begin() + lane * element_bytes, element_bytes, 0xff);
    }
  }
  return bytes;
}

}  // namespace lanediff::emulator

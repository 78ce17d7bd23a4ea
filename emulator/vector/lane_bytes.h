#pragma once

#include <array>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/state.h"

namespace lanediff::emulator {

using IterationBytes = std::array<std::uint8_t, kIterationBytes>;

/// All ones in the bytes of each lane that takes part.
inline IterationBytes BytesOf(const LaneMask& lanes,
                              std::int64_t element_bytes) {
  IterationBytes bytes;
  for (std::int64_t i = 0; i < kIterationBytes; ++i) {
    const bool set = lanes.Slice(static_cast<int>(i / element_bytes), 1) != 0;
    bytes[static_cast<std::size_t>(i)] = set ? 0xff : 0;
  }
  return bytes;
}

}  // namespace lanediff::emulator

#pragma once

#include <cstdint>
#include <vector>

#include "kernel/carried/flow.h"

/// A byte for each lane beside a call's operands: what comparisons give and
/// selections take, which in memory are bits.
namespace lanediff::kernel::carried {

struct WithFlags {
  std::vector<std::uint8_t> flags;
  CarriedCall call;
  std::uint32_t operand = 0;
  Place place;

  /// Lane k of iteration r is flag r · width + k; all 0.
  WithFlags(const CarriedCall& original, const Lanes& lanes)
      : flags(lanes.contiguous ? lanes.Count(0)
                               : lanes.iterations * lanes.width),
        call(original),
        operand(static_cast<std::uint32_t>(original.operands.size())),
        place{.bits = 8, .block = 1, .repeat = lanes.width / kBlockBytes} {
    call.operands.push_back({.memory = isa::Memory::kFb,
                             .window = static_cast<std::int64_t>(flags.size()),
                             .bytes = flags.data()});
  }
};

}  // namespace lanediff::kernel::carried

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernel/carried/family.h"

/// Calls whose results are computed lane by lane: what they touch, and how
/// their lanes come to a loop over neighbours in memory and back.
namespace lanediff::kernel::carried {

/// What a loop works on: `count` neighbours of each operand.
struct Slice {
  std::array<const void*, 3> in{};
  void* out = nullptr;
  std::int64_t count = 0;
  std::uint64_t scalar = 0;  ///< its bits, low end first
};
using LaneLoop = void (*)(const Slice&);

struct Flow {
  struct Source {
    std::uint32_t operand = 0;
    Place place;
  };
  Lanes lanes{};
  std::array<Source, 3> sources{};
  std::uint32_t source_count = 0;
  Source result{};

  void AddSource(std::uint32_t operand, Place place) {
    sources[source_count++] = {operand, place};
  }
};

/// A call of this kind: the rows of a file of calls name a function that
/// resolves it, and have the rest from here.
struct LaneCall {
  Flow flow{};
  LaneLoop loop = nullptr;
  std::uint64_t scalar = 0;
  bool approximate = false;
};

/// By the strides of `operand`, dstBlkStride and dstRepStride of "dst";
/// elements have `bits` bits. Where lanes are contiguous the block's is 1.
Place PlaceOf(Parameters& parameters, const Lanes& lanes,
              std::string_view operand, std::int64_t bits,
              std::int64_t least_block = 0);

/// Lists what the sources read in iteration `r`.
void TouchSources(CallMemory& memory, const Flow& flow, std::int64_t r);

/// Runs the loop on all lanes that take part, iteration by iteration; each
/// reads before it writes.
void RunFlow(const CarriedCall& call, const Flow& flow, LaneLoop loop,
             std::uint64_t scalar);

std::uint64_t RunLanes(CallMemory& memory, const LaneCall& lane,
                       VectorState& state);

/// A byte for each lane beside a call's operands: what comparisons give and
/// selections take, which in memory are bits.
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

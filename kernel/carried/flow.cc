#include "kernel/carried/flow.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace lanediff::kernel::carried {
namespace {

/// Lanes that lie on the stack at a time: a multiple of every vector.
constexpr std::int64_t kSliceLanes = 512;
constexpr std::int64_t kSliceBytes = kSliceLanes * 8;

std::int64_t BytesOf(const Place& place, std::int64_t lanes) {
  return lanes * place.bits / 8;
}

/// Count form: lanes one behind the other.
void RunContiguous(const CarriedCall& call, const Flow& flow, LaneLoop loop,
                   std::uint64_t scalar) {
  const std::int64_t count = flow.lanes.Count(0);
  const CarriedOperand& dst = call.operands[flow.result.operand];
  const std::int64_t dst_bytes = BytesOf(flow.result.place, count);
  std::array<const std::uint8_t*, 3> from{};
  std::array<std::vector<std::uint8_t>, 3> copies;
  for (std::uint32_t i = 0; i < flow.source_count; ++i) {
    const CarriedOperand& src = call.operands[flow.sources[i].operand];
    const std::int64_t bytes = BytesOf(flow.sources[i].place, count);
    from[i] = src.bytes;
    // Where slice after slice would read what an earlier one wrote.
    const bool same = src.at == dst.at && bytes == dst_bytes;
    if (src.memory == dst.memory && !same && src.at < dst.at + dst_bytes &&
        dst.at < src.at + bytes) {
      copies[i].assign(src.bytes, src.bytes + bytes);
      from[i] = copies[i].data();
    }
  }
  alignas(64) std::array<std::array<std::uint8_t, kSliceBytes>, 3> in;
  alignas(64) std::array<std::uint8_t, kSliceBytes> out;
  for (std::int64_t lane = 0; lane < count; lane += kSliceLanes) {
    Slice slice{.out = out.data(),
                .count = std::min(kSliceLanes, count - lane),
                .scalar = scalar};
    for (std::uint32_t i = 0; i < flow.source_count; ++i) {
      const Place& place = flow.sources[i].place;
      std::memcpy(in[i].data(), from[i] + BytesOf(place, lane),
                  BytesOf(place, slice.count));
      slice.in[i] = in[i].data();
    }
    loop(slice);
    std::memcpy(dst.bytes + BytesOf(flow.result.place, lane), out.data(),
                BytesOf(flow.result.place, slice.count));
  }
}

/// Visits the pieces of an operand in iteration `r`, in the order of lanes:
/// visit(its bytes, where they are in a dense slice, how many).
template <class Visit>
void ForPieces(const CarriedOperand& operand, const Lanes& lanes,
               const Place& place, std::int64_t r, const Visit& visit) {
  std::int64_t dense = 0;
  lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
    place.ForBytes(r, first, count,
                   [&](std::int64_t offset, std::int64_t bytes) {
                     visit(operand.bytes + offset, dense, bytes);
                     dense += bytes;
                   });
  });
}

}  // namespace

Place PlaceOf(Parameters& parameters, const Lanes& lanes,
              std::string_view operand, std::int64_t bits,
              std::int64_t least_block, std::string_view other) {
  const std::string first(operand);
  const std::string second(other.empty() ? operand : other);
  const std::int64_t blocks = parameters.Get(
      {first + "BlkStride", second + "BlkStride"}, least_block, 255, 1);
  return {.bits = bits,
          .block = lanes.contiguous ? 1 : blocks,
          .repeat = parameters.Get({first + "RepStride", second + "RepStride"},
                                   0, 255, 8)};
}

void TouchSources(CallMemory& memory, const Flow& flow, std::int64_t r) {
  for (std::uint32_t i = 0; i < flow.source_count; ++i) {
    Touches(memory.call(), flow.sources[i].operand, flow.lanes,
            flow.sources[i].place, r, memory.plan()->reads);
  }
}

std::uint64_t RunLanes(CallMemory& memory, const LaneCall& lane, VectorState&) {
  const Flow& flow = lane.flow;
  CarriedPlan* const plan = memory.plan();
  if (plan == nullptr) {
    RunFlow(memory.call(), flow, lane.loop, lane.scalar);
    return 0;
  }
  plan->approximate = lane.approximate;
  for (std::int64_t r = 0; r < flow.lanes.iterations && memory.Begin(r); ++r) {
    TouchSources(memory, flow, r);
    Touches(memory.call(), flow.result.operand, flow.lanes, flow.result.place,
            r, plan->writes);
  }
  return 0;
}

void RunFlow(const CarriedCall& call, const Flow& flow, LaneLoop loop,
             std::uint64_t scalar) {
  if (flow.lanes.contiguous) {
    RunContiguous(call, flow, loop, scalar);
    return;
  }
  const std::int64_t row_bytes =
      8 * std::max({flow.lanes.first, flow.lanes.last, kSliceLanes});
  std::vector<std::uint8_t> dense(4 * row_bytes);
  std::uint8_t* const out = dense.data() + 3 * row_bytes;
  for (std::int64_t r = 0; r < flow.lanes.iterations; ++r) {
    Slice slice{.out = out, .count = flow.lanes.Count(r), .scalar = scalar};
    if (slice.count == 0) continue;
    for (std::uint32_t i = 0; i < flow.source_count; ++i) {
      std::uint8_t* const in = dense.data() + i * row_bytes;
      slice.in[i] = in;
      ForPieces(call.operands[flow.sources[i].operand], flow.lanes,
                flow.sources[i].place, r,
                [&](const std::uint8_t* bytes, std::int64_t at,
                    std::int64_t size) { std::memcpy(in + at, bytes, size); });
    }
    loop(slice);
    ForPieces(call.operands[flow.result.operand], flow.lanes, flow.result.place,
              r, [&](std::uint8_t* bytes, std::int64_t at, std::int64_t size) {
                std::memcpy(bytes, out + at, size);
              });
  }
}

}  // namespace lanediff::kernel::carried

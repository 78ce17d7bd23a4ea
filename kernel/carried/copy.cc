// Copy: UB to UB under a mask.

#include <array>
#include <cstring>

#include "kernel/carried/family.h"
#include "kernel/carried/flow.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <std::int64_t kBytes>
void Move(const Slice& slice) {
  std::memcpy(slice.out, slice.in[0], slice.count * kBytes);
}

/// In counter mode the mask counts the elements of each iteration, which go on
/// behind its eighth block, and repeatTime holds (Copy · 约束说明).
Lanes CopyLanes(Parameters& parameters, std::int64_t bits) {
  if (!parameters.call().state.counter) return LanesOf(parameters, bits);
  Lanes lanes{.width = kIterationBytes * 8 / bits};
  const std::int64_t elements = *CounterElements(parameters);
  RecordMask(parameters, {static_cast<std::uint64_t>(elements), 0});
  lanes.first = lanes.last = elements;
  lanes.iterations = RepeatTime(parameters);
  return lanes;
}

Resolved ResolveCopy(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const std::uint8_t dtype = call.operands[*dst].dtype;
  const std::int64_t bits = BitsOf(dtype);
  if (call.operands[*src].dtype != dtype) {
    return std::unexpected(RefusedPair(call, call.operands[*src].dtype, dtype));
  }
  if (bits != 16 && bits != 32) {
    return std::unexpected(RefusedType(call, dtype));
  }
  LaneCall resolved{.loop = bits == 16 ? &Move<2> : &Move<4>};
  resolved.flow.lanes = CopyLanes(parameters, bits);
  resolved.flow.result = {
      *dst,
      {.bits = bits,
       .block = parameters.Get({"dstStride"}, 0, 65535, 1),
       .repeat = parameters.Get({"dstRepeatSize"}, 0, 4095, 8)}};
  resolved.flow.AddSource(
      *src, {.bits = bits,
             .block = parameters.Get({"srcStride"}, 0, 65535, 1),
             .repeat = parameters.Get({"srcRepeatSize"}, 0, 4095, 8)});
  return resolved;
}

constexpr std::array<Row, 1> kCopyRows = {
    Row{"Copy", &PlanLanes<ResolveCopy>, &ComputeLanes<ResolveCopy>}};

}  // namespace

std::span<const Row> CopyRows() { return kCopyRows; }

}  // namespace lanediff::kernel::carried

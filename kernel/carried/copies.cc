// Copy: UB to UB under a mask. Fill and its older names: one value into global
// memory. And what a copy to GM does in an atomic mode.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <auto kOperation>
LaneLoop AtomicLoop(std::uint8_t dtype, bool saturate) {
  return LoopFor<kOperation, Takes::kAB>(
      dtype, dtype, saturate, Types<Half>{}, Types<Bfloat16>{}, Types<float>{},
      Types<std::int8_t>{}, Types<std::int16_t>{}, Types<std::int32_t>{});
}

/// Of what type the elements are.
std::uint8_t AtomicType(const VectorState& state, std::uint8_t dtype) {
  return state.atomic_dtype == LANEDIFF_NO_DTYPE ? dtype : state.atomic_dtype;
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

LaneCall ResolveCopy(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  RequireSame(call, src, dst);
  const std::int64_t bits = Require16Or32(call, call.operands[dst].dtype);
  LaneCall resolved{.loop = bits == 16 ? &Move<2> : &Move<4>};
  resolved.flow.lanes = CopyLanes(parameters, bits);
  resolved.flow.result = {
      dst,
      {.bits = bits,
       .block = parameters.Get("dstStride", 0, 65535, 1),
       .repeat = parameters.Get("dstRepeatSize", 0, 4095, 8)}};
  resolved.flow.AddSource(
      src, {.bits = bits,
            .block = parameters.Get("srcStride", 0, 65535, 1),
            .repeat = parameters.Get("srcRepeatSize", 0, 4095, 8)});
  return resolved;
}

// ---- Fill -------------------------------------------------------------------

struct Filling {
  std::uint32_t dst = 0;
  std::int64_t element = 0;
  std::int64_t bytes = 0;
};

Filling ResolveFill(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const CarriedOperand& to = call.operands[dst];
  const std::int64_t bits = BitsOf(to.dtype);
  if (bits < 8 || to.dtype != call.call->scalar_dtype) {
    throw Refused(RefusedType(call, to.dtype));
  }
  // The page doesn't state whether the copies inside would accumulate.
  if (call.state.atomic != "none") {
    throw Refused(std::string(call.call->name) + " in an atomic mode");
  }
  const std::int64_t size = parameters.Get(
      "size", 0, std::numeric_limits<std::int64_t>::max() / 8, 0);
  return {dst, bits / 8, size * bits / 8};
}

std::uint64_t RunFill(CallMemory& memory, const Filling& filling,
                      VectorState&) {
  if (CarriedPlan* const plan = memory.plan()) plan->pipe = isa::Pipe::kMte3;
  std::uint8_t* const to = memory.Write(filling.dst, 0, filling.bytes);
  for (std::int64_t i = 0; to != nullptr && i < filling.bytes;
       i += filling.element) {
    std::memcpy(to + i, &memory.call().call->scalar, filling.element);
  }
  return 0;
}

}  // namespace

bool CanAccumulate(const VectorState& state, std::uint8_t dtype) {
  return AtomicLoop<kAdd>(AtomicType(state, dtype), false) != nullptr;
}

std::string RefusedAtomic(const VectorState& state, std::uint8_t dtype) {
  return "atomic " + std::string(state.atomic) + " of " +
         std::string(DTypeName(AtomicType(state, dtype)));
}

void Accumulate(const VectorState& state, std::uint8_t dtype, std::uint8_t* dst,
                const std::uint8_t* src, std::int64_t bytes) {
  const std::uint8_t type = AtomicType(state, dtype);
  const LaneLoop loop =
      state.atomic == "add"   ? AtomicLoop<kAdd>(type, state.saturation)
      : state.atomic == "max" ? AtomicLoop<kMax>(type, state.saturation)
                              : AtomicLoop<kMin>(type, state.saturation);
  if (loop == nullptr) return;
  const std::int64_t element = BitsOf(type) / 8;
  constexpr std::int64_t kPart = 4096;
  alignas(64) std::array<std::array<std::uint8_t, kPart>, 3> parts;
  for (std::int64_t at = 0; at + element <= bytes; at += kPart) {
    const std::int64_t size = std::min(kPart, (bytes - at) / element * element);
    std::memcpy(parts[0].data(), dst + at, size);
    std::memcpy(parts[1].data(), src + at, size);
    loop({.in = {parts[0].data(), parts[1].data()},
          .out = parts[2].data(),
          .count = size / element});
    std::memcpy(dst + at, parts[2].data(), size);
  }
}

Rows CopyRows() {
  using Name = std::string_view;
  Rows rows = {RowOf<ResolveCopy, RunLanes>("Copy")};
  for (const Name name : {"Fill", "InitGlobalMemory", "InitOutput"}) {
    rows.push_back(RowOf<ResolveFill, RunFill>(name));
  }
  return rows;
}

}  // namespace lanediff::kernel::carried

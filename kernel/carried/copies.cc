// Copy: UB to UB under a mask. DataCopyPad: blocks of any length between GM and
// UB. Fill and its older names: one value into global memory. And what a copy
// to GM does in an atomic mode.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/operations.h"

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
       .block = parameters.Get({"dstStride"}, 0, 65535, 1),
       .repeat = parameters.Get({"dstRepeatSize"}, 0, 4095, 8)}};
  resolved.flow.AddSource(
      src, {.bits = bits,
            .block = parameters.Get({"srcStride"}, 0, 65535, 1),
            .repeat = parameters.Get({"srcRepeatSize"}, 0, 4095, 8)});
  return resolved;
}

// ---- DataCopyPad ------------------------------------------------------------

constexpr std::int64_t kMaxWord = std::numeric_limits<std::uint32_t>::max();

struct PadCopy {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  bool out = false;  ///< to GM
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< of a block, without what is filled
  std::int64_t src_step = 0;
  std::int64_t dst_step = 0;
  std::int64_t left = 0;    ///< bytes
  std::int64_t filled = 0;  ///< bytes from the block's end on
  bool pads = false;
  /// Without padding what is filled is the block's first element, whatever
  /// isPad is (DataCopyPad · 参数解释).
  bool first_element = false;
  std::int64_t element = 1;
  std::uint64_t value = 0;
};

std::int64_t RoundUp(std::int64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

PadCopy ResolvePad(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  PadCopy copy{.dst = Require(call, OperandName::kDst),
               .src = Require(call, OperandName::kSrc)};
  const CarriedOperand& to = call.operands[copy.dst];
  const CarriedOperand& from = call.operands[copy.src];
  copy.out = to.memory == isa::Memory::kGm;
  const isa::Memory local = copy.out ? from.memory : to.memory;
  const isa::Memory far = copy.out ? to.memory : from.memory;
  if (local != isa::Memory::kUb || far != isa::Memory::kGm) {
    throw Refused("DataCopyPad from " + std::string(isa::Name(from.memory)) +
                  " to " + std::string(isa::Name(to.memory)));
  }
  RequireSame(call, copy.src, copy.dst);
  if (BitsOf(to.dtype) < 8) throw Refused(RefusedType(call, to.dtype));
  copy.element = BitsOf(to.dtype) / 8;
  // Ranges of DataCopyExtParams, unless the call names the older struct
  // of 16-bit fields.
  const bool older = call.Word("params") == "DataCopyParams";
  copy.count = parameters.Get({"blockCount"}, 0, 4095, 1);
  // A multiple of the element (DataCopyPad · 表3).
  copy.bytes =
      parameters.Get({"blockLen"}, 0, older ? 65535 : 2097151, 0, copy.element);
  const std::int64_t most = older ? 65535 : kMaxWord;
  const std::int64_t src_gap = parameters.Get({"srcStride"}, 0, most, 0);
  const std::int64_t dst_gap = parameters.Get({"dstStride"}, 0, most, 0);
  if (copy.bytes == 0) copy.count = 0;
  if (copy.out && call.state.atomic != "none" &&
      !CanAccumulate(call.state, to.dtype)) {
    throw Refused(RefusedAtomic(call.state, to.dtype));
  }
  if (copy.out) {
    copy.src_step = RoundUp(copy.bytes) + src_gap * kBlockBytes;
    copy.dst_step = copy.bytes + dst_gap;
    return copy;
  }
  copy.pads = parameters.Get({"isPad"}, 0, 1, 0) != 0;
  const std::int64_t most_padding = kBlockBytes / copy.element;
  const std::int64_t left = parameters.Get({"leftPadding"}, 0, most_padding, 0);
  const std::int64_t right =
      parameters.Get({"rightPadding"}, 0, most_padding, 0);
  if (copy.element == 8) {
    copy.value =
        static_cast<std::uint64_t>(parameters.Get({"paddingValue"}, 0, 0, 0));
  } else {
    copy.value = static_cast<std::uint64_t>(call.Number("paddingValue"));
  }
  copy.first_element = left == 0 && right == 0;
  copy.left = left * copy.element;
  const std::int64_t whole =
      RoundUp(copy.left + copy.bytes + right * copy.element);
  copy.filled = whole - copy.left - copy.bytes;
  copy.src_step = copy.bytes + src_gap;
  copy.dst_step = whole + dst_gap * kBlockBytes;
  return copy;
}

/// Elements of `value`, as many as fit.
void FillBytes(std::uint8_t* at, std::int64_t bytes, std::uint64_t value,
               std::int64_t element) {
  for (std::int64_t i = 0; i < bytes; ++i) {
    at[i] = static_cast<std::uint8_t>(value >> (i % element * 8));
  }
}

std::uint64_t RunPad(CallMemory& memory, const PadCopy& copy, VectorState&) {
  const CarriedCall& call = memory.call();
  if (CarriedPlan* const plan = memory.plan()) {
    plan->pipe = copy.out ? isa::Pipe::kMte3 : isa::Pipe::kMte2;
  }
  const bool accumulates = copy.out && call.state.atomic != "none";
  // Without isPad what is filled beside a padding is of no known value: never
  // written.
  const bool fills = copy.pads || copy.first_element;
  for (std::int64_t i = 0; i < copy.count && memory.Begin(i); ++i) {
    const std::uint8_t* const from =
        memory.Read(copy.src, i * copy.src_step, copy.bytes);
    const std::int64_t begin = i * copy.dst_step;
    if (accumulates) memory.Read(copy.dst, begin, copy.bytes);
    std::uint8_t* const at =
        fills ? memory.Write(copy.dst, begin,
                             copy.left + copy.bytes + copy.filled)
              : memory.Write(copy.dst, begin + copy.left, copy.bytes);
    if (at == nullptr) continue;
    if (accumulates) {
      Accumulate(call.state, call.operands[copy.dst].dtype, at, from,
                 copy.bytes);
      continue;
    }
    std::memcpy(fills ? at + copy.left : at, from, copy.bytes);
    if (!fills) continue;
    std::uint64_t value = copy.value;
    if (copy.first_element) {
      value = 0;
      std::memcpy(&value, from, std::min(copy.element, copy.bytes));
    }
    FillBytes(at, copy.left, value, copy.element);
    FillBytes(at + copy.left + copy.bytes, copy.filled, value, copy.element);
  }
  return 0;
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
      {"size"}, 0, std::numeric_limits<std::int64_t>::max() / 8, 0);
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
  Rows rows = {RowOf<ResolveCopy, RunLanes>("Copy"),
               RowOf<ResolvePad, RunPad>("DataCopyPad")};
  for (const Name name : {"Fill", "InitGlobalMemory", "InitOutput"}) {
    rows.push_back(RowOf<ResolveFill, RunFill>(name));
  }
  return rows;
}

}  // namespace lanediff::kernel::carried

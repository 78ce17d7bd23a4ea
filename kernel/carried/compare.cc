// Compare into the register of compare masks, and what sets and reads that
// register.

#include <cstring>
#include <utility>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <auto kOperation, Takes kTakes>
LaneLoop FlagLoop(std::uint8_t src) {
  using Flag = std::uint8_t;
  return LoopFor<kOperation, kTakes>(LANEDIFF_UINT8, src, false,
                                     Types<Flag, Half>{}, Types<Flag, float>{});
}

constexpr auto kLess = [](auto, auto a, auto b) { return int{a < b}; };
constexpr auto kGreater = [](auto, auto a, auto b) { return int{a > b}; };
constexpr auto kAtMost = [](auto, auto a, auto b) { return int{a <= b}; };
constexpr auto kAtLeast = [](auto, auto a, auto b) { return int{a >= b}; };
constexpr auto kEqual = [](auto, auto a, auto b) { return int{a == b}; };
/// Unlike IEEE 754: nothing is unequal to a NaN (边界值汇总 · 表30).
constexpr auto kUnequal = [](auto, auto a, auto b) {
  return int{a < b || a > b};
};

template <Takes kTakes>
LaneLoop CompareLoop(std::string_view mode, std::uint8_t src) {
  if (mode == "LT") return FlagLoop<kLess, kTakes>(src);
  if (mode == "GT") return FlagLoop<kGreater, kTakes>(src);
  if (mode == "LE") return FlagLoop<kAtMost, kTakes>(src);
  if (mode == "GE") return FlagLoop<kAtLeast, kTakes>(src);
  if (mode == "EQ") return FlagLoop<kEqual, kTakes>(src);
  if (mode == "NE") return FlagLoop<kUnequal, kTakes>(src);
  return nullptr;
}

/// half and float (Compare（结果存入寄存器） · 数据类型).
bool IsComparable(std::uint8_t dtype) {
  return dtype == LANEDIFF_HALF || dtype == LANEDIFF_FLOAT;
}

LaneCall ResolveCompare(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  LaneCall lane;
  const std::uint32_t a = Require(call, OperandName::kSrc0);
  const std::uint32_t b = Require(call, OperandName::kSrc1);
  const std::uint8_t from = call.operands[a].dtype;
  const std::string_view mode = call.Word("cmpMode");
  lane.loop = CompareLoop<Takes::kAB>(mode, from);
  if (lane.loop == nullptr || !IsComparable(from)) {
    throw Refused(RefusedType(call, from) + " with " +
                  (mode.empty() ? "no cmpMode" : std::string(mode)));
  }
  if (call.operands[b].dtype != from) {
    throw Refused(RefusedType(call, from) + " with " +
                  std::string(DTypeName(call.operands[b].dtype)));
  }
  const std::int64_t bits = BitsOf(from);
  Flow& flow = lane.flow;
  flow.lanes = LanesOf(parameters, bits);
  if (flow.lanes.iterations > 1) {
    flow.lanes.iterations = 1;  // the register holds one
    flow.lanes.last = flow.lanes.first;
  }
  for (const auto& [operand, name] :
       {std::pair(a, "src0"), std::pair(b, "src1")}) {
    flow.AddSource(operand, PlaceOf(parameters, flow.lanes, name, bits));
  }
  return lane;
}

std::uint64_t RunCompare(CallMemory& memory, const LaneCall& lane,
                         VectorState& state) {
  if (memory.plan() != nullptr) {
    for (std::int64_t r = 0; r < lane.flow.lanes.iterations && memory.Begin(r);
         ++r) {
      TouchSources(memory, lane.flow, r);
    }
    return 0;
  }
  Flow flow = lane.flow;
  WithLanes with(memory.call(), flow.lanes);
  flow.result = {with.operand, with.place};
  RunFlow(with.call, flow, lane.loop, lane.scalar);
  // Lanes that take no part keep their bits.
  flow.lanes.ForRuns(0, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t i = first; i < first + count; ++i) {
      std::uint64_t& word = state.compare_mask[i / 64];
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      word = with.bytes[i] != 0 ? word | bit : word & ~bit;
    }
  });
  return 0;
}

// ---- The register -----------------------------------------------------------

constexpr std::int64_t kRegisterBytes = 16;

/// SetCmpMask reads it from its source, GetCmpMask writes it.
template <OperandName kName>
std::uint32_t ResolveRegister(Parameters& parameters) {
  return Require(parameters.call(), kName);
}

std::uint64_t SetRegister(CallMemory& memory, std::uint32_t src,
                          VectorState& state) {
  const std::uint8_t* const from = memory.Read(src, 0, kRegisterBytes);
  if (from != nullptr) {
    std::memcpy(state.compare_mask, from, kRegisterBytes);
  } else {
    memory.plan()->align[src] = kRegisterBytes;  // GetCmpMask · 参数说明
  }
  return 0;
}

std::uint64_t GetRegister(CallMemory& memory, std::uint32_t dst,
                          VectorState& state) {
  std::uint8_t* const to = memory.Write(dst, 0, kRegisterBytes);
  if (to != nullptr) {
    std::memcpy(to, state.compare_mask, kRegisterBytes);
  } else {
    memory.plan()->align[dst] = kRegisterBytes;
  }
  return 0;
}

}  // namespace

Rows CompareRows() {
  return {RowOf<ResolveCompare, RunCompare>("Compare"),
          RowOf<ResolveRegister<OperandName::kSrc>, SetRegister>("SetCmpMask"),
          RowOf<ResolveRegister<OperandName::kDst>, GetRegister>("GetCmpMask")};
}

}  // namespace lanediff::kernel::carried

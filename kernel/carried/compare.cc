// Compare, Compares, CompareScalar: a bit for each lane, in memory or in the
// register of compare masks; and what sets and reads that register.

#include <algorithm>
#include <cstring>
#include <optional>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <auto kOperation, Takes kTakes>
LaneLoop FlagLoop(std::uint8_t src) {
  using Flag = std::uint8_t;
  return LoopFor<kOperation, kTakes>(
      LANEDIFF_UINT8, src, false, Types<Flag, Half>{}, Types<Flag, float>{},
      Types<Flag, std::int16_t>{}, Types<Flag, std::uint16_t>{},
      Types<Flag, std::int32_t>{}, Types<Flag, std::uint32_t>{});
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

/// half and float; int32_t for EQ alone, and on atlas-200i-500-a2 more where
/// it is against a scalar (Compare, Compares · 数据类型).
bool Takes16Or32(const CarriedCall& call, std::uint8_t dtype, bool scalar) {
  if (dtype == LANEDIFF_HALF || dtype == LANEDIFF_FLOAT) return true;
  if (call.product == isa::Product::kAtlas200i500A2) {
    return scalar && (dtype == LANEDIFF_INT16 || dtype == LANEDIFF_UINT16 ||
                      dtype == LANEDIFF_INT32 || dtype == LANEDIFF_UINT32);
  }
  return dtype == LANEDIFF_INT32 && IsA2(call.product) &&
         call.Word("cmpMode") == "EQ" &&
         Find(call, OperandName::kDst).has_value();
}

struct Comparing {
  LaneCall lane;
  std::optional<std::uint32_t> dst;  ///< none: the register
  std::int64_t bits = 0;             ///< of results, without a mask
};

/// All lanes: the mask has no effect on most products (Compare · mask).
Lanes WholeIterations(Parameters& parameters, std::int64_t bits) {
  Lanes lanes{.width = kIterationBytes * 8 / bits};
  lanes.first = lanes.last = lanes.width;
  if (const auto elements = CounterElements(parameters)) {
    lanes.iterations = (*elements + lanes.width - 1) / lanes.width;
  } else {
    lanes.iterations = RepeatTime(parameters);
  }
  return lanes;
}

Lanes CompareLanes(Parameters& parameters, std::int64_t bits, bool to_memory) {
  const CarriedCall& call = parameters.call();
  // Whole iterations; the rest takes no part (Compare · count).
  if (call.call->form == LANEDIFF_COUNT) {
    return LanesOf(parameters, bits, kIterationBytes * 8 / bits);
  }
  if (to_memory && call.product != isa::Product::kAtlas200i500A2) {
    Lanes lanes = WholeIterations(parameters, bits);
    if (call.call->is_set_mask != 0 && parameters.plan() != nullptr) {
      const std::uint64_t* const mask = call.call->mask;
      parameters.plan()->mask.leaves =
          call.call->form == LANEDIFF_MASK_LEN
              ? FirstBits(static_cast<std::int64_t>(
                    std::min<std::uint64_t>(mask[0], 128)))
              : std::array{mask[0], mask[1]};
    }
    return lanes;
  }
  Lanes lanes = LanesOf(parameters, bits);
  if (!to_memory && lanes.iterations > 1) {
    lanes.iterations = 1;  // the register holds one
    lanes.last = lanes.first;
  }
  return lanes;
}

Comparing ResolveCompare(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const bool scalar = std::string_view(call.call->name) != "Compare";
  Comparing comparing;
  comparing.dst =
      scalar ? Require(call, OperandName::kDst) : Find(call, OperandName::kDst);
  const std::uint32_t a = Require(call, OperandName::kSrc0, OperandName::kSrc);
  const std::uint8_t from = call.operands[a].dtype;
  const std::string_view mode = call.Word("cmpMode");
  LaneLoop& loop = comparing.lane.loop;
  loop = scalar ? CompareLoop<Takes::kAScalar>(mode, from)
                : CompareLoop<Takes::kAB>(mode, from);
  if (loop == nullptr || !Takes16Or32(call, from, scalar)) {
    throw Refused(RefusedType(call, from) + " with " +
                  (mode.empty() ? "no cmpMode" : std::string(mode)));
  }
  if (comparing.dst) {
    const std::uint8_t to = call.operands[*comparing.dst].dtype;
    if (BitsOf(to) != 8) throw Refused(RefusedPair(call, from, to));
  }
  const std::int64_t bits = BitsOf(from);
  Flow& flow = comparing.lane.flow;
  flow.lanes = CompareLanes(parameters, bits, comparing.dst.has_value());
  const auto source = [&](std::uint32_t operand, std::string_view name,
                          std::string_view other = {}) {
    flow.AddSource(operand,
                   PlaceOf(parameters, flow.lanes, name, bits, 0, other));
  };
  // Results lie one behind the other: strides of dst have no effect.
  PlaceOf(parameters, flow.lanes, "dst", 8);
  if (scalar) {
    RequireScalar(call, from);
    comparing.lane.scalar = call.call->scalar;
    source(a, "src", "src0");
    return comparing;
  }
  const std::uint32_t b = Require(call, OperandName::kSrc1);
  if (call.operands[b].dtype != from) {
    throw Refused(RefusedType(call, from) + " with " +
                  std::string(DTypeName(call.operands[b].dtype)));
  }
  source(a, "src0");
  source(b, "src1");
  return comparing;
}

/// Bytes of results of an iteration.
std::int64_t ResultBytes(const Lanes& lanes) {
  return lanes.contiguous ? (lanes.first + 7) / 8 : lanes.width / 8;
}

void PlanCompare(CallMemory& memory, const Comparing& comparing) {
  const Flow& flow = comparing.lane.flow;
  const std::int64_t bytes = ResultBytes(flow.lanes);
  for (std::int64_t r = 0; r < flow.lanes.iterations && memory.Begin(r); ++r) {
    TouchSources(memory, flow, r);
    if (comparing.dst) memory.Write(*comparing.dst, r * bytes, bytes);
  }
}

/// All iterations read before the first one writes: it makes a difference only
/// where KRN-OVERLAP is broken.
std::uint64_t RunCompare(CallMemory& memory, const Comparing& comparing,
                         VectorState& state) {
  if (memory.plan() != nullptr) {
    PlanCompare(memory, comparing);
    return 0;
  }
  const CarriedCall& call = memory.call();
  Flow flow = comparing.lane.flow;
  WithLanes with(call, flow.lanes);
  flow.result = {with.operand, with.place};
  RunFlow(with.call, flow, comparing.lane.loop, comparing.lane.scalar);
  std::vector<std::uint8_t> bits((with.bytes.size() + 7) / 8);
  for (std::size_t i = 0; i < with.bytes.size(); ++i) {
    bits[i / 8] |= static_cast<std::uint8_t>(with.bytes[i] << (i % 8));
  }
  if (comparing.dst) {
    std::memcpy(call.operands[*comparing.dst].bytes, bits.data(), bits.size());
    return 0;
  }
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
  Rows rows = {
      RowOf<ResolveRegister<OperandName::kSrc>, SetRegister>("SetCmpMask"),
      RowOf<ResolveRegister<OperandName::kDst>, GetRegister>("GetCmpMask")};
  for (const std::string_view name : {"Compare", "Compares", "CompareScalar"}) {
    rows.push_back(RowOf<ResolveCompare, RunCompare>(name));
  }
  return rows;
}

}  // namespace lanediff::kernel::carried

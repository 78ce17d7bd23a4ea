// Compare, Compares, CompareScalar: a bit for each lane, in memory or in the
// register of compare masks; and what sets and reads that register.

#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/carried/family.h"
#include "kernel/carried/flags.h"
#include "kernel/carried/flow.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/loops.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <char kA, char kB>
struct Comparison {
  template <class T, bool kSaturate, class W>
  static int Do(W a, W b) {
    constexpr auto kIs = [](char x, char y) { return kA == x && kB == y; };
    if constexpr (kIs('L', 'T')) return a < b;
    if constexpr (kIs('G', 'T')) return a > b;
    if constexpr (kIs('L', 'E')) return a <= b;
    if constexpr (kIs('G', 'E')) return a >= b;
    if constexpr (kIs('E', 'Q')) return a == b;
    // Unlike IEEE 754: nothing is unequal to a NaN (边界值汇总 · 表30).
    return a < b || a > b;
  }
};

template <class Operation, Takes kTakes>
LaneLoop CompareLoop(std::uint8_t src) {
  using Flag = std::uint8_t;
  return LoopFor<Operation, kTakes>(
      LANEDIFF_UINT8, src, false, Types<Flag, Half>{}, Types<Flag, float>{},
      Types<Flag, std::int16_t>{}, Types<Flag, std::uint16_t>{},
      Types<Flag, std::int32_t>{}, Types<Flag, std::uint32_t>{});
}

template <Takes kTakes>
LaneLoop CompareLoop(std::string_view mode, std::uint8_t src) {
  if (mode == "LT") return CompareLoop<Comparison<'L', 'T'>, kTakes>(src);
  if (mode == "GT") return CompareLoop<Comparison<'G', 'T'>, kTakes>(src);
  if (mode == "LE") return CompareLoop<Comparison<'L', 'E'>, kTakes>(src);
  if (mode == "GE") return CompareLoop<Comparison<'G', 'E'>, kTakes>(src);
  if (mode == "EQ") return CompareLoop<Comparison<'E', 'Q'>, kTakes>(src);
  if (mode == "NE") return CompareLoop<Comparison<'N', 'E'>, kTakes>(src);
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
         call.Operand(OperandName::kDst) != nullptr;
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
      parameters.plan()->leaves = CarriedPlan::Leaves::kOwnMask;
      const bool length = call.call->form == LANEDIFF_MASK_LEN;
      const std::uint64_t* const mask = call.call->mask;
      const auto first = [](std::uint64_t n) {
        return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
      };
      parameters.plan()->mask_low = length ? first(mask[0]) : mask[0];
      parameters.plan()->mask_high =
          length ? first(std::max<std::uint64_t>(mask[0], 64) - 64) : mask[1];
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

std::expected<Comparing, std::string> ResolveCompare(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const bool scalar = std::string_view(call.call->name) != "Compare";
  Comparing comparing;
  if (const auto dst = Require(call, OperandName::kDst)) comparing.dst = *dst;
  if (scalar && !comparing.dst) {
    return std::unexpected(std::string(call.call->name) + " without dst");
  }
  const auto a = Require(call, OperandName::kSrc0, OperandName::kSrc);
  if (!a) return std::unexpected(a.error());
  const std::uint8_t from = call.operands[*a].dtype;
  const std::string_view mode = call.Word("cmpMode");
  LaneLoop& loop = comparing.lane.loop;
  loop = scalar ? CompareLoop<Takes::kAScalar>(mode, from)
                : CompareLoop<Takes::kAB>(mode, from);
  if (loop == nullptr || !Takes16Or32(call, from, scalar)) {
    return std::unexpected(RefusedType(call, from) + " with " +
                           (mode.empty() ? "no cmpMode" : std::string(mode)));
  }
  if (comparing.dst) {
    const std::uint8_t to = call.operands[*comparing.dst].dtype;
    if (BitsOf(to) != 8) return std::unexpected(RefusedPair(call, from, to));
  }
  const std::int64_t bits = BitsOf(from);
  Flow& flow = comparing.lane.flow;
  flow.lanes = CompareLanes(parameters, bits, comparing.dst.has_value());
  const auto place = [&](Names block, Names repeat) {
    const std::int64_t blocks = parameters.Get(block, 0, 255, 1);
    return Place{.bits = bits,
                 .block = flow.lanes.contiguous ? 1 : blocks,
                 .repeat = parameters.Get(repeat, 0, 255, 8)};
  };
  // Results lie one behind the other: strides of dst have no effect.
  parameters.Get({"dstBlkStride"}, 0, 255, 1);
  parameters.Get({"dstRepStride"}, 0, 255, 8);
  if (scalar) {
    if (call.call->scalar_dtype != from) {
      return std::unexpected(RefusedType(call, from) + " with a scalar of " +
                             std::string(DTypeName(call.call->scalar_dtype)));
    }
    comparing.lane.scalar = call.call->scalar;
    flow.AddSource(*a, place({"srcBlkStride", "src0BlkStride"},
                             {"srcRepStride", "src0RepStride"}));
    return comparing;
  }
  const auto b = Require(call, OperandName::kSrc1);
  if (!b) return std::unexpected(b.error());
  if (call.operands[*b].dtype != from) {
    return std::unexpected(RefusedType(call, from) + " with " +
                           std::string(DTypeName(call.operands[*b].dtype)));
  }
  flow.AddSource(*a, place({"src0BlkStride"}, {"src0RepStride"}));
  flow.AddSource(*b, place({"src1BlkStride"}, {"src1RepStride"}));
  return comparing;
}

/// Bytes of results of an iteration.
std::int64_t ResultBytes(const Lanes& lanes) {
  return lanes.contiguous ? (lanes.first + 7) / 8 : lanes.width / 8;
}

Planned PlanCompare(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto comparing = ResolveCompare(parameters);
  if (!comparing) return std::unexpected(comparing.error());
  const Flow& flow = comparing->lane.flow;
  const std::int64_t bytes = ResultBytes(flow.lanes);
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < flow.lanes.iterations && !bounds.Left(); ++r) {
    for (std::uint32_t i = 0; i < flow.source_count; ++i) {
      Touches(call, flow.sources[i].operand, flow.lanes, flow.sources[i].place,
              r, plan.reads);
    }
    if (comparing->dst) {
      plan.writes.push_back({*comparing->dst,
                             call.operands[*comparing->dst].at + r * bytes,
                             bytes, r});
    }
  }
  return plan;
}

/// All iterations read before the first one writes: it makes a difference only
/// where KRN-OVERLAP is broken.
std::uint64_t ComputeCompare(const CarriedCall& call, const CarriedPlan&,
                             VectorState& state) {
  Parameters parameters(call);
  const auto comparing = ResolveCompare(parameters);
  Flow flow = comparing->lane.flow;
  WithFlags with(call, flow.lanes);
  flow.result = {with.operand, with.place};
  RunFlow(with.call, flow, comparing->lane.loop, comparing->lane.scalar);
  std::vector<std::uint8_t> bits((with.flags.size() + 7) / 8);
  for (std::size_t i = 0; i < with.flags.size(); ++i) {
    bits[i / 8] |= static_cast<std::uint8_t>(with.flags[i] << (i % 8));
  }
  if (comparing->dst) {
    std::memcpy(call.operands[*comparing->dst].bytes, bits.data(), bits.size());
    return 0;
  }
  // Lanes that take no part keep their bits.
  flow.lanes.ForRuns(0, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t i = first; i < first + count; ++i) {
      std::uint64_t& word = state.compare_mask[i / 64];
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      word = with.flags[i] != 0 ? word | bit : word & ~bit;
    }
  });
  return 0;
}

// ---- The register -----------------------------------------------------------

constexpr std::int64_t kRegisterBytes = 16;

template <OperandName kName>
Planned PlanRegister(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto operand = Require(call, kName);
  if (!operand) return std::unexpected(operand.error());
  auto& touches = kName == OperandName::kDst ? plan.writes : plan.reads;
  touches.push_back({*operand, call.operands[*operand].at, kRegisterBytes, 0});
  plan.align.resize(call.operands.size());
  plan.align[*operand] = kRegisterBytes;  // GetCmpMask · 参数说明
  return plan;
}

std::uint64_t SetRegister(const CarriedCall& call, const CarriedPlan&,
                          VectorState& state) {
  std::memcpy(state.compare_mask, call.Operand(OperandName::kSrc)->bytes,
              kRegisterBytes);
  return 0;
}

std::uint64_t GetRegister(const CarriedCall& call, const CarriedPlan&,
                          VectorState& state) {
  std::memcpy(call.Operand(OperandName::kDst)->bytes, state.compare_mask,
              kRegisterBytes);
  return 0;
}

constexpr std::array<Row, 5> kCompareRows = {
    Row{"Compare", &PlanCompare, &ComputeCompare},
    Row{"Compares", &PlanCompare, &ComputeCompare},
    Row{"CompareScalar", &PlanCompare, &ComputeCompare},
    Row{"SetCmpMask", &PlanRegister<OperandName::kSrc>, &SetRegister},
    Row{"GetCmpMask", &PlanRegister<OperandName::kDst>, &GetRegister}};

}  // namespace

std::span<const Row> CompareRows() { return kCompareRows; }

}  // namespace lanediff::kernel::carried

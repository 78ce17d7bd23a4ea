// Calls of one result a lane: Adds, Exp, AddRelu, Axpy, And, Duplicate, …

#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/carried/family.h"
#include "kernel/carried/flow.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/loops.h"
#include "kernel/carried/operations.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

struct Elementwise {
  std::string_view name;
  Takes takes;
  bool approximate;
  /// Null: the types are refused.
  LaneLoop (*loop)(std::uint8_t dst, std::uint8_t src, bool saturate);
};

template <class Operation, Takes kTakes, class... T>
LaneLoop Of(std::uint8_t dst, std::uint8_t src, bool saturate) {
  return LoopFor<Operation, kTakes>(dst, src, saturate, Types<T>{}...);
}
/// Source and result may differ: half into float.
template <class Operation, Takes kTakes>
LaneLoop MultiplyAdd(std::uint8_t dst, std::uint8_t src, bool saturate) {
  return LoopFor<Operation, kTakes>(dst, src, saturate, Types<Half>{},
                                    Types<float>{}, Types<float, Half>{});
}

using std::int16_t;
using std::int32_t;
using std::uint16_t;
using std::uint32_t;
constexpr auto kA = Takes::kA;
constexpr auto kAB = Takes::kAB;
constexpr auto kAScalar = Takes::kAScalar;

// Types: those of the calls' pages, of all products together.
constexpr std::array kElementwise = {
    Elementwise{"Abs", kA, false, &Of<AbsOf, kA, Half, float>},
    Elementwise{"Neg", kA, false,
                &Of<NegOf, kA, Half, float, int16_t, int32_t>},
    Elementwise{"Relu", kA, false, &Of<ReluOf, kA, Half, float, int32_t>},
    Elementwise{"Not", kA, false, &Of<NotOf, kA, int16_t, uint16_t>},
    Elementwise{"Exp", kA, true, &Of<ExpOf, kA, Half, float>},
    Elementwise{"Ln", kA, true, &Of<LnOf, kA, Half, float>},
    Elementwise{"Sqrt", kA, true, &Of<SqrtOf, kA, Half, float>},
    Elementwise{"Rsqrt", kA, true, &Of<RsqrtOf, kA, Half, float>},
    Elementwise{"Reciprocal", kA, true, &Of<ReciprocalOf, kA, Half, float>},
    Elementwise{"Adds", kAScalar, false,
                &Of<AddOf, kAScalar, Half, float, int16_t, int32_t>},
    Elementwise{"Subs", kAScalar, false,
                &Of<SubOf, kAScalar, Half, float, int16_t, int32_t>},
    Elementwise{"Muls", kAScalar, false,
                &Of<MulOf, kAScalar, Half, float, int16_t, int32_t>},
    Elementwise{"Maxs", kAScalar, false,
                &Of<MaxOf, kAScalar, Half, float, int16_t, int32_t>},
    Elementwise{"Mins", kAScalar, false,
                &Of<MinOf, kAScalar, Half, float, int16_t, int32_t>},
    Elementwise{"Divs", kAScalar, true, &Of<DivOf, kAScalar, Half, float>},
    Elementwise{"LeakyRelu", kAScalar, false,
                &Of<LeakyOf, kAScalar, Half, float>},
    Elementwise{"Ands", kAScalar, false,
                &Of<AndOf, kAScalar, int16_t, uint16_t>},
    Elementwise{"Ors", kAScalar, false, &Of<OrOf, kAScalar, int16_t, uint16_t>},
    Elementwise{
        "ShiftLeft", kAScalar, false,
        &Of<ShiftLeftOf, kAScalar, int16_t, uint16_t, int32_t, uint32_t>},
    Elementwise{
        "ShiftRight", kAScalar, false,
        &Of<ShiftRightOf, kAScalar, int16_t, uint16_t, int32_t, uint32_t>},
    Elementwise{"Prelu", kAB, false, &Of<LeakyOf, kAB, Half, float>},
    Elementwise{"Div", kAB, true, &Of<DivOf, kAB, Half, float>},
    Elementwise{"AddRelu", kAB, false,
                &Of<AddReluOf, kAB, Half, float, int16_t>},
    Elementwise{"SubRelu", kAB, false,
                &Of<SubReluOf, kAB, Half, float, int16_t>},
    Elementwise{"And", kAB, false, &Of<AndOf, kAB, int16_t, uint16_t>},
    Elementwise{"Or", kAB, false, &Of<OrOf, kAB, int16_t, uint16_t>},
    Elementwise{"Axpy", Takes::kAScalarC, true,
                &MultiplyAdd<MulAddDstOf, Takes::kAScalarC>},
    Elementwise{"MulAddDst", Takes::kABC, true,
                &MultiplyAdd<MulAddDstOf, Takes::kABC>},
    Elementwise{"FusedMulAdd", Takes::kABC, true,
                &Of<FusedMulAddOf, Takes::kABC, Half, float>},
};

const Elementwise& RowOf(const CarriedCall& call) {
  return *std::ranges::find(kElementwise, std::string_view(call.call->name),
                            &Elementwise::name);
}

Place PlaceOf(Parameters& parameters, Names block, Names repeat,
              std::uint8_t dtype, std::int64_t least_block) {
  Place place{.bits = BitsOf(dtype)};
  place.block = parameters.Get(block, least_block, 255, 1);
  place.repeat = parameters.Get(repeat, 0, 255, place.bits == 0 ? 0 : 8);
  return place;
}

bool IsShift(std::string_view name) { return name.starts_with("Shift"); }

/// Of shifts, by how much: [0, the bits of an element].
std::uint64_t ScalarOf(Parameters& parameters, std::int64_t bits) {
  const CarriedCall& call = parameters.call();
  if (!IsShift(call.call->name)) return call.call->scalar;
  const bool is_signed = call.call->scalar_dtype == LANEDIFF_INT16 ||
                         call.call->scalar_dtype == LANEDIFF_INT32;
  const std::uint64_t raw = call.call->scalar << (64 - bits);
  const std::int64_t by = is_signed
                              ? static_cast<std::int64_t>(raw) >> (64 - bits)
                              : static_cast<std::int64_t>(raw >> (64 - bits));
  return static_cast<std::uint64_t>(parameters.Add("scalarValue", by, 0, bits));
}

Resolved ResolveElementwise(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const Elementwise& row = RowOf(call);
  const bool two = row.takes == Takes::kAB || row.takes == Takes::kABC;
  const auto dst = Require(call, OperandName::kDst);
  const auto a = two ? Require(call, OperandName::kSrc0)
                     : Require(call, OperandName::kSrc, OperandName::kSrc0);
  if (!dst) return std::unexpected(dst.error());
  if (!a) return std::unexpected(a.error());
  const std::uint8_t to = call.operands[*dst].dtype;
  const std::uint8_t from = call.operands[*a].dtype;
  LaneCall resolved{.loop = row.loop(to, from, call.state.saturation),
                    .approximate = row.approximate};
  if (resolved.loop == nullptr) {
    return std::unexpected(to == from ? RefusedType(call, to)
                                      : RefusedPair(call, from, to));
  }
  const std::int64_t bits = std::max(BitsOf(to), BitsOf(from));
  Flow& flow = resolved.flow;
  flow.lanes = LanesOf(parameters, bits);
  flow.result = {
      *dst, PlaceOf(parameters, {"dstBlkStride"}, {"dstRepStride"}, to, 1)};
  if (two) {
    const auto b = Require(call, OperandName::kSrc1);
    if (!b) return std::unexpected(b.error());
    if (call.operands[*b].dtype != from) {
      return std::unexpected(RefusedPair(call, call.operands[*b].dtype, to));
    }
    flow.AddSource(
        *a, PlaceOf(parameters, {"src0BlkStride"}, {"src0RepStride"}, from, 0));
    flow.AddSource(
        *b, PlaceOf(parameters, {"src1BlkStride"}, {"src1RepStride"}, from, 0));
  } else {
    flow.AddSource(
        *a, PlaceOf(parameters, {"srcBlkStride"}, {"srcRepStride"}, from, 0));
  }
  if (row.takes == Takes::kABC || row.takes == Takes::kAScalarC) {
    flow.AddSource(*dst, flow.result.place);
  }
  if (row.takes == Takes::kAScalar || row.takes == Takes::kAScalarC) {
    if (call.call->scalar_dtype != from) {
      return std::unexpected(RefusedType(call, from) + " with a scalar of " +
                             std::string(DTypeName(call.call->scalar_dtype)));
    }
    resolved.scalar = ScalarOf(parameters, BitsOf(from));
  }
  if (row.name == "ShiftRight" && parameters.Get({"roundEn"}, 0, 1, 0) != 0) {
    // Without effect on unsigned types (ShiftRight · 参数说明).
    if (LaneLoop rounded = Of<ShiftRightRoundedOf, kAScalar, int16_t, int32_t>(
            to, from, false)) {
      resolved.loop = rounded;
    }
  }
  if (flow.lanes.contiguous) {
    for (Flow::Source& one : flow.sources) one.place.block = 1;
    flow.result.place.block = 1;
  }
  return resolved;
}

/// Rsqrt of what is not positive and Reciprocal of 0 may be anything (约束说明
/// of both).
Planned PlanElementwise(const CarriedCall& call) {
  Planned plan = PlanLanes<ResolveElementwise>(call);
  const std::string_view name = call.call->name;
  if (!plan || (name != "Rsqrt" && name != "Reciprocal")) return plan;
  for (const Touch& touch : plan->reads) {
    const CarriedOperand& src = call.operands[touch.operand];
    const std::int64_t size = BitsOf(src.dtype) / 8;
    for (std::int64_t at = touch.at - src.at;
         at < touch.at - src.at + touch.bytes; at += size) {
      if (at + size > src.readable) return plan;
      float value;
      if (size == 2) {
        Half half;
        std::memcpy(&half, src.bytes + at, sizeof half);
        value = Widen(half);
      } else {
        std::memcpy(&value, src.bytes + at, sizeof value);
      }
      const bool open = name == "Rsqrt" ? value <= 0 : value == 0;
      if (!open || src.HasUnwritten(at, size)) continue;
      plan->contents.push_back({.operand = src.name,
                                .text = "element " + std::to_string(at / size) +
                                        (value == 0 ? " is 0" : " is negative"),
                                .open = true});
      return plan;
    }
  }
  return plan;
}

// ---- Duplicate --------------------------------------------------------------

template <class U>
void Fill(const Slice& slice) {
  std::fill_n(static_cast<U*>(slice.out), slice.count,
              static_cast<U>(slice.scalar));
}

Resolved ResolveDuplicate(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  if (!dst) return std::unexpected(dst.error());
  const std::uint8_t dtype = call.operands[*dst].dtype;
  const std::int64_t bits = BitsOf(dtype);
  if (bits != 16 && bits != 32)
    return std::unexpected(RefusedType(call, dtype));
  if (call.call->scalar_dtype != dtype) {
    return std::unexpected(RefusedType(call, dtype) + " with a scalar of " +
                           std::string(DTypeName(call.call->scalar_dtype)));
  }
  LaneCall resolved{.loop = bits == 16 ? &Fill<uint16_t> : &Fill<uint32_t>,
                    .scalar = call.call->scalar};
  Flow& flow = resolved.flow;
  flow.lanes = LanesOf(parameters, bits);
  flow.result.operand = *dst;
  flow.result.place.bits = bits;
  flow.result.place.block =
      parameters.Get({"dstBlockStride", "dstBlkStride"}, 0, 65535, 1);
  flow.result.place.repeat =
      parameters.Get({"dstRepeatStride", "dstRepStride"}, 0, 255, 8);
  return resolved;
}

constexpr auto kElementwiseRows = [] {
  std::array<Row, kElementwise.size() + 1> rows{};
  for (std::size_t i = 0; i < kElementwise.size(); ++i) {
    rows[i] = {kElementwise[i].name, &PlanElementwise,
               &ComputeLanes<ResolveElementwise>};
  }
  rows.back() = {"Duplicate", &PlanLanes<ResolveDuplicate>,
                 &ComputeLanes<ResolveDuplicate>};
  return rows;
}();

}  // namespace

std::span<const Row> ElementwiseRows() { return kElementwiseRows; }

}  // namespace lanediff::kernel::carried

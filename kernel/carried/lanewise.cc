// Calls of one result a lane: Subs, Divs, Axpy, Ands, …

#include <algorithm>
#include <array>
#include <string>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

struct Lanewise {
  std::string_view name;
  Takes takes;
  bool approximate;
  /// Null: the types are refused.
  LaneLoop (*loop)(std::uint8_t dst, std::uint8_t src, bool saturate);
};

/// Source and result are of one of the types `T`, which may be Types<D, S>.
template <auto kOperation, Takes kTakes, class... T>
LaneLoop Of(std::uint8_t dst, std::uint8_t src, bool saturate) {
  return LoopFor<kOperation, kTakes>(dst, src, saturate, TypesOf<T>{}...);
}
template <auto kOperation, Takes kTakes, class... T>
constexpr Lanewise Precise(std::string_view name) {
  return {name, kTakes, false, &Of<kOperation, kTakes, T...>};
}
template <auto kOperation, Takes kTakes, class... T>
constexpr Lanewise Approximate(std::string_view name) {
  return {name, kTakes, true, &Of<kOperation, kTakes, T...>};
}

using std::int16_t;
using std::int32_t;
using std::int8_t;
using std::uint16_t;
using std::uint8_t;
using enum Takes;

// Types: those of the calls' pages, of all products together.
constexpr std::array kLanewise = {
    Precise<kNeg, kA, Half, float, int16_t, int32_t>("Neg"),
    Precise<kSub, kAScalar, Half, float, int16_t, int32_t>("Subs"),
    Approximate<kDiv, kAScalar, Half, float>("Divs"),
    Precise<kAnd, kAScalar, int16_t, uint16_t>("Ands"),
    Precise<kOr, kAScalar, int16_t, uint16_t>("Ors"),
    Precise<kLeaky, kAB, Half, float>("Prelu"),
    // Of one type they are audited.
    Approximate<kMulAddDst, kAScalarC, Types<float, Half>>("Axpy"),
    Approximate<kMulAddDst, kABC, Types<float, Half>>("MulAddDst"),
    Precise<kDequant, kAScale, Types<Half, int32_t>>("CastDequant"),
    Precise<kDequant, kAScale, Types<Half, int32_t>>("CastDeq"),
    Approximate<kAddDeqRelu, kABScale, Types<Half, int32_t>>("AddDeqRelu"),
};

const Lanewise& LanewiseRow(const CarriedCall& call) {
  return *std::ranges::find(kLanewise, std::string_view(call.call->name),
                            &Lanewise::name);
}

LaneCall ResolveLanewise(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const Lanewise& row = LanewiseRow(call);
  const bool two =
      row.takes == kAB || row.takes == kABC || row.takes == kABScale;
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t a =
      two ? Require(call, OperandName::kSrc0)
          : Require(call, OperandName::kSrc, OperandName::kSrc0);
  const std::uint8_t to = call.operands[dst].dtype;
  const std::uint8_t from = call.operands[a].dtype;
  LaneCall resolved{.loop = row.loop(to, from, call.state.saturation),
                    .approximate = row.approximate};
  if (resolved.loop == nullptr) {
    std::string why =
        to == from ? RefusedType(call, to) : RefusedPair(call, from, to);
    if (row.takes == kAScale) {
      why += ": no page states how a scale of 10 bits is rounded";
    }
    throw Refused(why);
  }
  Flow& flow = resolved.flow;
  flow.lanes = LanesOf(parameters, std::max(BitsOf(to), BitsOf(from)));
  const auto source = [&](std::uint32_t operand, std::string_view name) {
    flow.AddSource(operand,
                   PlaceOf(parameters, flow.lanes, name, BitsOf(from)));
  };
  flow.result = {dst, PlaceOf(parameters, flow.lanes, "dst", BitsOf(to), 1)};
  if (two) {
    const std::uint32_t b = Require(call, OperandName::kSrc1);
    if (call.operands[b].dtype != from) {
      throw Refused(RefusedPair(call, call.operands[b].dtype, to));
    }
    source(a, "src0");
    source(b, "src1");
  } else {
    source(a, "src");
  }
  if (row.takes == kABC || row.takes == kAScalarC) {
    flow.AddSource(dst, flow.result.place);
  }
  if (row.takes == kAScalar || row.takes == kAScalarC) {
    RequireScalar(call, from);
    resolved.scalar = call.call->scalar;
  }
  if (row.takes == kAScale || row.takes == kABScale) {
    // As of Cast: the page states neither how often the product is rounded nor
    // an unset scale.
    constexpr std::uint64_t kOne = 0x3c00;
    resolved.scalar = call.state.deq_scale.value_or(kOne) & 0xffff;
    resolved.approximate = row.approximate || call.state.deq_scale != kOne;
  }
  return resolved;
}

}  // namespace

Rows LanewiseRows() {
  Rows rows;
  for (const Lanewise& one : kLanewise) {
    rows.push_back(RowOf<ResolveLanewise, RunLanes>(one.name));
  }
  return rows;
}

}  // namespace lanediff::kernel::carried

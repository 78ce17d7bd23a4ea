// Cast: types by product and rounding mode as its page lists them.

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "kernel/carried/cast_loops.h"
#include "kernel/carried/family.h"
#include "kernel/carried/flow.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/loops.h"
#include "kernel/carried/parameters.h"
#include "kernel/carried/rounding.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

// ---- Which loop -------------------------------------------------------------

using LoopOf = LaneLoop (*)(Rounding mode, bool saturate);

template <class D, class S, Rounding kMode>
LaneLoop WithMode(bool saturate) {
  return saturate ? &CastLoop<D, S, kMode, true>
                  : &CastLoop<D, S, kMode, false>;
}
template <class D, class S>
LaneLoop Rounded(Rounding mode, bool saturate) {
  switch (mode) {
    case Rounding::kNone:
    case Rounding::kRint:
      return WithMode<D, S, Rounding::kRint>(saturate);
    case Rounding::kFloor:
      return WithMode<D, S, Rounding::kFloor>(saturate);
    case Rounding::kCeil:
      return WithMode<D, S, Rounding::kCeil>(saturate);
    case Rounding::kRound:
      return WithMode<D, S, Rounding::kRound>(saturate);
    case Rounding::kTrunc:
      return WithMode<D, S, Rounding::kTrunc>(saturate);
    case Rounding::kOdd:
      break;
  }
  if constexpr (std::is_same_v<D, Half> && std::is_same_v<S, float>) {
    return WithMode<D, S, Rounding::kOdd>(saturate);
  }
  return nullptr;
}
template <class D, class S>
LaneLoop Exact(Rounding, bool saturate) {
  return WithMode<D, S, Rounding::kRint>(saturate);
}
LaneLoop Int4ToHalf(Rounding, bool) { return &FromInt4; }
LaneLoop HalfToInt4(Rounding mode, bool) {
  switch (mode) {
    case Rounding::kFloor:
      return &ToInt4<Rounding::kFloor>;
    case Rounding::kCeil:
      return &ToInt4<Rounding::kCeil>;
    case Rounding::kRound:
      return &ToInt4<Rounding::kRound>;
    case Rounding::kTrunc:
      return &ToInt4<Rounding::kTrunc>;
    default:
      return &ToInt4<Rounding::kRint>;
  }
}
LaneLoop Int32ToHalf(Rounding, bool saturate) {
  return saturate ? &Dequantize<true> : &Dequantize<false>;
}

/// Modes as bits; NONE is taken wherever the types are: it stands for RINT
/// (Cast · 调用示例).
constexpr std::uint8_t Bit(Rounding mode) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(mode));
}
constexpr std::uint8_t kN = Bit(Rounding::kNone);
constexpr std::uint8_t kR = Bit(Rounding::kRint);
constexpr std::uint8_t kO = Bit(Rounding::kOdd);
constexpr std::uint8_t kNotR = Bit(Rounding::kFloor) | Bit(Rounding::kCeil) |
                               Bit(Rounding::kRound) | Bit(Rounding::kTrunc);
constexpr std::uint8_t kFive = kR | kNotR;
constexpr std::uint8_t kAny = 0x7f;

constexpr std::uint64_t kHalfOne = 0x3c00;

struct CastRow {
  std::uint8_t src;
  std::uint8_t dst;
  /// Of atlas-a2 and -a3, -200i-500-a2, -inference-aicore, -training.
  std::array<std::uint8_t, 4> modes;
  LoopOf loop;
};

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint8_t;
constexpr std::array kCasts = {
    CastRow{LANEDIFF_INT4, LANEDIFF_HALF, {kN, 0, 0, 0}, &Int4ToHalf},
    CastRow{
        LANEDIFF_INT8, LANEDIFF_HALF, {kN, kN, kN, kN}, &Exact<Half, int8_t>},
    CastRow{
        LANEDIFF_UINT8, LANEDIFF_HALF, {kN, kN, kN, kN}, &Exact<Half, uint8_t>},
    CastRow{LANEDIFF_INT16,
            LANEDIFF_HALF,
            {kFive, kFive, kN, kN},
            &Rounded<Half, int16_t>},
    CastRow{
        LANEDIFF_INT16, LANEDIFF_FLOAT, {kN, kN, 0, 0}, &Exact<float, int16_t>},
    CastRow{LANEDIFF_HALF, LANEDIFF_INT4, {kFive, 0, kN, 0}, &HalfToInt4},
    CastRow{LANEDIFF_HALF,
            LANEDIFF_INT8,
            {kFive, kFive, kNotR, kNotR},
            &Rounded<int8_t, Half>},
    CastRow{LANEDIFF_HALF,
            LANEDIFF_UINT8,
            {kFive, kFive, kNotR, kNotR},
            &Rounded<uint8_t, Half>},
    CastRow{LANEDIFF_HALF,
            LANEDIFF_INT16,
            {kFive, kFive, kR, 0},
            &Rounded<int16_t, Half>},
    CastRow{LANEDIFF_HALF,
            LANEDIFF_INT32,
            {kFive, kFive, kFive, kFive},
            &Rounded<int32_t, Half>},
    CastRow{
        LANEDIFF_HALF, LANEDIFF_FLOAT, {kN, kN, kN, kN}, &Exact<float, Half>},
    CastRow{LANEDIFF_BFLOAT16,
            LANEDIFF_INT32,
            {kFive, kFive, 0, 0},
            &Rounded<int32_t, Bfloat16>},
    CastRow{LANEDIFF_BFLOAT16,
            LANEDIFF_FLOAT,
            {kN, kN, 0, 0},
            &Exact<float, Bfloat16>},
    CastRow{LANEDIFF_INT32,
            LANEDIFF_INT16,
            {kN, kN, kN, 0},
            &Exact<int16_t, int32_t>},
    CastRow{LANEDIFF_INT32, LANEDIFF_HALF, {kAny, kN, kAny, 0}, &Int32ToHalf},
    CastRow{LANEDIFF_INT32,
            LANEDIFF_FLOAT,
            {kFive, kFive, kN, kN},
            &Rounded<float, int32_t>},
    CastRow{LANEDIFF_INT32,
            LANEDIFF_INT64,
            {kN, kN, 0, 0},
            &Exact<int64_t, int32_t>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_INT16,
            {kFive, kFive, 0, 0},
            &Rounded<int16_t, float>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_HALF,
            {kFive | kO, kFive | kO, kO, kO},
            &Rounded<Half, float>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_BFLOAT16,
            {kFive, kFive, 0, 0},
            &Rounded<Bfloat16, float>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_INT32,
            {kFive, kFive, 0, 0},
            &Rounded<int32_t, float>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_FLOAT,
            {kFive, kFive, 0, 0},
            &Rounded<float, float>},
    CastRow{LANEDIFF_FLOAT,
            LANEDIFF_INT64,
            {kFive, kFive, kFive, kFive},
            &Rounded<int64_t, float>},
    CastRow{LANEDIFF_INT64,
            LANEDIFF_INT32,
            {kN, kN, 0, 0},
            &Exact<int32_t, int64_t>},
    CastRow{LANEDIFF_INT64,
            LANEDIFF_FLOAT,
            {kFive, kFive, 0, 0},
            &Rounded<float, int64_t>},
};

std::uint8_t ModesOf(const CastRow& row, isa::Product product) {
  switch (product) {
    case isa::Product::kAtlasA2:
    case isa::Product::kAtlasA3:
      return row.modes[0];
    case isa::Product::kAtlas200i500A2:
      return row.modes[1];
    case isa::Product::kAtlasInferenceAicore:
      return row.modes[2];
    case isa::Product::kAtlasTraining:
      return row.modes[3];
    default:
      return 0;
  }
}

std::optional<Rounding> RoundingOf(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
      "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
  const auto found = std::ranges::find(kWords, word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<Rounding>(found - kWords.begin());
}

/// Of int4b_t either both elements of a byte take part or neither (Cast ·
/// 约束说明).
void CheckPairs(Parameters& parameters, const Lanes& lanes) {
  if (lanes.first >= 0) {
    if (lanes.last % 2 != 0) {
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
      parameters.Add("elements", lanes.last, 0, kMost);
    }
    parameters.Rounded("elements", lanes.last, 2);
    return;
  }
  constexpr std::uint64_t kEven = 0x5555555555555555;
  std::int64_t halves = 0;
  for (const std::uint64_t word : lanes.mask) {
    halves += std::popcount((word ^ word >> 1) & kEven);
  }
  if (halves > 0) parameters.Add("halfMaskedBytes", halves, 0, 0);
}

Resolved ResolveCast(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const std::uint8_t to = call.operands[*dst].dtype;
  const std::uint8_t from = call.operands[*src].dtype;
  const auto row = std::ranges::find_if(kCasts, [&](const CastRow& one) {
    return one.src == from && one.dst == to;
  });
  const std::uint8_t modes =
      row == kCasts.end() ? std::uint8_t{0} : ModesOf(*row, call.product);
  if (modes == 0) return std::unexpected(RefusedPair(call, from, to));
  const std::string_view word = call.Word("roundMode");
  const auto mode = RoundingOf(word);
  if (!mode || ((modes | kN) & Bit(*mode)) == 0) {
    return std::unexpected(RefusedPair(call, from, to) + " with " +
                           (word.empty() ? "no roundMode" : std::string(word)));
  }
  LaneCall resolved{.loop = row->loop(*mode, call.state.saturation),
                    .scalar = kHalfOne};
  if (from == LANEDIFF_INT32 && to == LANEDIFF_HALF &&
      call.product != isa::Product::kAtlas200i500A2) {
    // The page states neither how often the product is rounded nor an unset
    // scale.
    if (call.state.deq_scale) resolved.scalar = *call.state.deq_scale & 0xffff;
    resolved.approximate = call.state.deq_scale != kHalfOne;
  }
  Flow& flow = resolved.flow;
  const bool pairs = from == LANEDIFF_INT4 || to == LANEDIFF_INT4;
  flow.lanes =
      LanesOf(parameters, std::max(BitsOf(to), BitsOf(from)), pairs ? 2 : 1);
  if (pairs) CheckPairs(parameters, flow.lanes);
  const auto place = [&](Names block, Names repeat, std::uint8_t dtype,
                         std::int64_t least) {
    const std::int64_t blocks = parameters.Get(block, least, 255, 1);
    return Place{.bits = BitsOf(dtype),
                 .block = flow.lanes.contiguous ? 1 : blocks,
                 .repeat = parameters.Get(repeat, 0, 255, 8)};
  };
  flow.result = {*dst, place({"dstBlkStride"}, {"dstRepStride"}, to, 1)};
  flow.AddSource(*src, place({"srcBlkStride"}, {"srcRepStride"}, from, 0));
  return resolved;
}

constexpr std::array<Row, 1> kCastRows = {
    Row{"Cast", &PlanLanes<ResolveCast>, &ComputeLanes<ResolveCast>}};

}  // namespace

std::span<const Row> CastRows() { return kCastRows; }

}  // namespace lanediff::kernel::carried

// Cast of what cases don't have: int4b_t, and int32 to half by the scale of
// SetDeqScale. Every other pair of types is audited.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;
using isa::RoundMode;

/// Two in a byte, the first one in its low half.
void FromInt4(const Slice& slice) {
  const auto* const in = static_cast<const std::uint8_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const int nibble = in[i / 2] >> (i % 2 * 4) & 0xf;
    out[i] = ToHalf(static_cast<float>(nibble < 8 ? nibble : nibble - 16));
  }
}

/// To a whole number; infinite and NaN stay.
template <RoundMode kMode>
float ToWhole(float value) {
  if constexpr (kMode == RoundMode::kFloor) return std::floor(value);
  if constexpr (kMode == RoundMode::kCeil) return std::ceil(value);
  if constexpr (kMode == RoundMode::kRound) return std::round(value);
  if constexpr (kMode == RoundMode::kTrunc) return std::trunc(value);
  return std::nearbyint(value);  // to nearest even, the mode of every process
}

/// To the limits of int4b_t; a NaN is 0 (边界值汇总 · 表32).
template <RoundMode kMode>
void ToInt4(const Slice& slice) {
  const auto* const in = static_cast<const Half*>(slice.in[0]);
  auto* const out = static_cast<std::uint8_t*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const float whole = ToWhole<kMode>(Widen(in[i]));
    const int fitting = std::isnan(whole)
                            ? 0
                            : static_cast<int>(std::clamp(whole, -8.0f, 7.0f));
    const auto nibble =
        static_cast<std::uint8_t>(static_cast<unsigned>(fitting) & 0xfu);
    out[i / 2] = i % 2 == 0
                     ? nibble
                     : static_cast<std::uint8_t>(out[i / 2] | nibble << 4);
  }
}

/// Rounded once: by way of a float whose last bit is odd where one is lost.
Half RoundToHalf(double value) {
  float near = static_cast<float>(value);
  if (static_cast<double>(near) != value) {
    auto bits = std::bit_cast<std::uint32_t>(near);
    if (std::fabs(near) > std::fabs(value)) --bits;
    near = std::bit_cast<float>(bits | 1u);
  }
  return ToHalf(near);
}

/// int32_t to half: times the scale of SetDeqScale; the rounding mode has no
/// effect (Cast · 约束说明).
template <bool kSaturate>
void Dequantize(const Slice& slice) {
  const auto* const in = static_cast<const std::int32_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  const double scale = Widen(FromBits<Half>(slice.scalar));
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const double product = in[i] * scale;
    const Half half =
        std::isnan(product) ? Half{kHalfNan} : RoundToHalf(product);
    out[i] = kSaturate ? Saturated(half) : half;
  }
}

constexpr std::uint64_t kHalfOne = 0x3c00;

/// The loop of the pair of types; null where the product lacks it, or lacks the
/// mode for it.
LaneLoop LoopOf(const CarriedCall& call, std::uint8_t from, std::uint8_t to) {
  const auto mode = isa::Parse<RoundMode>(call.Word("roundMode"));
  const bool a2 = IsA2(call.product);
  const bool aicore = call.product == isa::Product::kAtlasInferenceAicore;
  if (!mode) return nullptr;
  if (from == LANEDIFF_INT32 && to == LANEDIFF_HALF && (a2 || aicore)) {
    return call.state.saturation ? &Dequantize<true> : &Dequantize<false>;
  }
  const bool none = *mode == RoundMode::kNone;
  if (from == LANEDIFF_INT4 && to == LANEDIFF_HALF && a2 && none) {
    return &FromInt4;
  }
  if (from != LANEDIFF_HALF || to != LANEDIFF_INT4) return nullptr;
  if (!a2 && !(aicore && none)) return nullptr;
  switch (*mode) {
    case RoundMode::kFloor:
      return &ToInt4<RoundMode::kFloor>;
    case RoundMode::kCeil:
      return &ToInt4<RoundMode::kCeil>;
    case RoundMode::kRound:
      return &ToInt4<RoundMode::kRound>;
    case RoundMode::kTrunc:
      return &ToInt4<RoundMode::kTrunc>;
    case RoundMode::kOdd:
      return nullptr;
    default:
      return &ToInt4<RoundMode::kRint>;
  }
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

LaneCall ResolveCast(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  const std::uint8_t to = call.operands[dst].dtype;
  const std::uint8_t from = call.operands[src].dtype;
  LaneCall resolved{.loop = LoopOf(call, from, to), .scalar = kHalfOne};
  if (resolved.loop == nullptr) {
    const std::string_view word = call.Word("roundMode");
    throw Refused(RefusedPair(call, from, to) + " with " +
                  (word.empty() ? "no roundMode" : std::string(word)));
  }
  if (from == LANEDIFF_INT32) {
    // The page states neither how often the product is rounded nor an unset
    // scale.
    if (call.state.deq_scale) resolved.scalar = *call.state.deq_scale & 0xffff;
    resolved.approximate = call.state.deq_scale != kHalfOne;
  }
  Flow& flow = resolved.flow;
  const bool pairs = from != LANEDIFF_INT32;
  flow.lanes =
      LanesOf(parameters, std::max(BitsOf(to), BitsOf(from)), pairs ? 2 : 1);
  if (pairs) CheckPairs(parameters, flow.lanes);
  flow.result = {dst, PlaceOf(parameters, flow.lanes, "dst", BitsOf(to), 1)};
  flow.AddSource(src, PlaceOf(parameters, flow.lanes, "src", BitsOf(from)));
  return resolved;
}

}  // namespace

Rows CastRows() { return {RowOf<ResolveCast, RunLanes>("Cast")}; }

}  // namespace lanediff::kernel::carried

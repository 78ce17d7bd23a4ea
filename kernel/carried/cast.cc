// Cast: types by product and rounding mode as its page lists them.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

// ---- RoundMode, as 精度转换规则 and Cast have it ----------------------------

enum class Rounding : std::uint8_t {
  kNone,   ///< as kRint where something is lost
  kRint,   ///< to nearest, a tie to even
  kFloor,  ///< down
  kCeil,   ///< up
  kRound,  ///< to nearest, a tie away from zero
  kTrunc,  ///< towards zero
  kOdd,    ///< what is inexact to the odd neighbour (von Neumann)
};

/// Whether a magnitude of `whole` steps and a rest, in (0, 1) steps compared
/// with a half by `half` (−1, 0, 1), goes to the next step.
bool GoesUp(Rounding mode, bool negative, bool whole_is_odd, int half) {
  switch (mode) {
    case Rounding::kNone:
    case Rounding::kRint:
      return half > 0 || (half == 0 && whole_is_odd);
    case Rounding::kFloor:
      return negative;
    case Rounding::kCeil:
      return !negative;
    case Rounding::kRound:
      return half >= 0;
    case Rounding::kTrunc:
      return false;
    case Rounding::kOdd:
      return !whole_is_odd;
  }
  return false;
}

/// To an integer; infinite and NaN stay.
template <Rounding kMode>
float ToWhole(float value) {
  if constexpr (kMode == Rounding::kFloor) return std::floor(value);
  if constexpr (kMode == Rounding::kCeil) return std::ceil(value);
  if constexpr (kMode == Rounding::kRound) return std::round(value);
  if constexpr (kMode == Rounding::kTrunc) return std::trunc(value);
  return std::nearbyint(value);  // to nearest even, the mode of every process
}

/// To the limits of T; a NaN is 0 (边界值汇总 · 表32).
template <class T>
T ToInteger(float whole) {
  // Both are powers of two or small: exact.
  constexpr float kLow = static_cast<float>(std::numeric_limits<T>::min());
  constexpr float kBeyond =
      static_cast<float>(std::numeric_limits<T>::max() / 2 + 1) * 2;
  if (whole != whole) return 0;
  if (whole < kLow) return std::numeric_limits<T>::min();
  if (whole >= kBeyond) return std::numeric_limits<T>::max();
  return static_cast<T>(whole);
}

/// An integer with so many binary digits, which every T here can hold.
template <int kDigits>
double ToDigits(std::int64_t value, Rounding mode) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? -static_cast<std::uint64_t>(value)
                                           : static_cast<std::uint64_t>(value);
  const int lost = static_cast<int>(std::bit_width(magnitude)) - kDigits;
  std::uint64_t whole = magnitude;
  if (lost > 0) {
    whole = magnitude >> lost;
    const std::uint64_t rest = magnitude - (whole << lost);
    const std::uint64_t half = std::uint64_t{1} << (lost - 1);
    if (rest != 0 && GoesUp(mode, negative, (whole & 1) != 0,
                            rest < half ? -1 : rest > half)) {
      ++whole;
    }
  }
  const double rounded =
      std::ldexp(static_cast<double>(whole), lost > 0 ? lost : 0);
  return negative ? -rounded : rounded;
}

/// Bits of a 16-bit floating type with kDigits binary digits (one of them
/// hidden) and smallest exponent kLeast, from a number that is not a NaN.
/// Beyond its largest: infinite, or the largest where the mode is towards zero.
template <int kDigits, int kLeast>
std::uint16_t ToBits(double value, Rounding mode) {
  constexpr std::uint32_t kInf = (0x7fffu >> (kDigits - 1)) << (kDigits - 1);
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  const std::uint32_t sign = negative ? 0x8000u : 0u;
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | kInf);
  const int exponent = std::max(std::ilogb(magnitude), kLeast);
  const double steps = std::ldexp(magnitude, kDigits - 1 - exponent);
  if (exponent > 1 - kLeast) {
    const bool up = GoesUp(mode, negative, true, 1);
    return static_cast<std::uint16_t>(sign | (up ? kInf : kInf - 1));
  }
  const double whole = std::floor(steps);
  const double rest = steps - whole;
  auto number = static_cast<std::uint32_t>(whole);
  if (rest != 0 &&
      GoesUp(mode, negative, (number & 1) != 0, rest < 0.5 ? -1 : rest > 0.5)) {
    ++number;
  }
  const auto above = static_cast<std::uint32_t>(exponent - kLeast);
  return static_cast<std::uint16_t>(sign | ((above << (kDigits - 1)) + number));
}

Half RoundToHalf(double value, Rounding mode) {
  if (value != value) return {kHalfNan};
  return {ToBits<11, -14>(value, mode)};
}
Bfloat16 RoundToBfloat16(double value, Rounding mode) {
  if (value != value) return {kBfloatNan};
  return {ToBits<8, -126>(value, mode)};
}

// ---- Loops: one for each pair of types, mode and saturation -----------------

template <class D, Rounding kMode, bool kSaturate, class S>
D Converted(S value) {
  const auto saturated = [](auto result) {
    return kSaturate ? Saturated(result) : result;
  };
  if constexpr (std::is_same_v<S, std::int64_t> ||
                std::is_same_v<S, std::int32_t> ||
                std::is_same_v<S, std::int16_t>) {
    if constexpr (std::is_same_v<D, float>) {
      return static_cast<float>(ToDigits<24>(value, kMode));
    } else if constexpr (std::is_same_v<D, Half>) {
      return saturated(
          RoundToHalf(ToDigits<11>(value, kMode), Rounding::kRint));
    } else {  // to another integer: what doesn't fit is the limit
      return Narrow<D, true>(static_cast<std::int64_t>(value));
    }
  } else if constexpr (std::is_same_v<D, Half>) {
    if constexpr (kMode == Rounding::kNone || kMode == Rounding::kRint) {
      return saturated(ToHalf(static_cast<float>(Widen(value))));
    } else {
      return saturated(RoundToHalf(Widen(value), kMode));
    }
  } else if constexpr (std::is_same_v<D, Bfloat16>) {
    return saturated(RoundToBfloat16(Widen(value), kMode));
  } else if constexpr (std::is_same_v<D, float>) {
    if constexpr (std::is_same_v<S, float>) {
      // −0 becomes +0 (表32, its note).
      return Narrow<float, false>(ToWhole<kMode>(value) + 0.0f);
    } else {
      return Narrow<float, false>(static_cast<float>(Widen(value)));
    }
  } else {
    return ToInteger<D>(ToWhole<kMode>(Widen(value)));
  }
}

template <class D, class S, Rounding kMode, bool kSaturate>
void CastLoop(const Slice& slice) {
  const S* const in = static_cast<const S*>(slice.in[0]);
  D* const __restrict out = static_cast<D*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    out[i] = Converted<D, kMode, kSaturate>(in[i]);
  }
}

/// Two in a byte, the first one in its low half.
void FromInt4(const Slice& slice) {
  const auto* const in = static_cast<const std::uint8_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const int nibble = in[i / 2] >> (i % 2 * 4) & 0xf;
    out[i] = ToHalf(static_cast<float>(nibble < 8 ? nibble : nibble - 16));
  }
}
template <Rounding kMode>
void ToInt4(const Slice& slice) {
  const auto* const in = static_cast<const Half*>(slice.in[0]);
  auto* const out = static_cast<std::uint8_t*>(slice.out);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const int whole = ToInteger<std::int8_t>(ToWhole<kMode>(Widen(in[i])));
    const auto nibble = static_cast<std::uint8_t>(
        static_cast<unsigned>(std::clamp(whole, -8, 7)) & 0xfu);
    out[i / 2] = i % 2 == 0
                     ? nibble
                     : static_cast<std::uint8_t>(out[i / 2] | nibble << 4);
  }
}

/// int32_t to half: times the scale of SetDeqScale; the rounding mode has no
/// effect (Cast · 约束说明).
template <bool kSaturate>
void Dequantize(const Slice& slice) {
  const auto* const in = static_cast<const std::int32_t*>(slice.in[0]);
  auto* const out = static_cast<Half*>(slice.out);
  const double scale = Widen(FromBits<Half>(slice.scalar));
  for (std::int64_t i = 0; i < slice.count; ++i) {
    const Half half = RoundToHalf(in[i] * scale, Rounding::kRint);
    out[i] = kSaturate ? Saturated(half) : half;
  }
}

// ---- Which loop -------------------------------------------------------------

/// What `loop` returns of the mode, a constant there; NONE stands for RINT.
template <class LoopIn>
LaneLoop InMode(Rounding mode, const LoopIn& loop) {
  switch (mode) {
    case Rounding::kFloor:
      return loop.template operator()<Rounding::kFloor>();
    case Rounding::kCeil:
      return loop.template operator()<Rounding::kCeil>();
    case Rounding::kRound:
      return loop.template operator()<Rounding::kRound>();
    case Rounding::kTrunc:
      return loop.template operator()<Rounding::kTrunc>();
    case Rounding::kOdd:
      return loop.template operator()<Rounding::kOdd>();
    default:
      return loop.template operator()<Rounding::kRint>();
  }
}

using LoopOf = LaneLoop (*)(Rounding mode, bool saturate);

template <class D, class S>
LaneLoop Rounded(Rounding mode, bool saturate) {
  return InMode(mode, [&]<Rounding kMode>() -> LaneLoop {
    if constexpr (kMode == Rounding::kOdd &&
                  !(std::is_same_v<D, Half> && std::is_same_v<S, float>)) {
      return nullptr;
    } else {
      return saturate ? &CastLoop<D, S, kMode, true>
                      : &CastLoop<D, S, kMode, false>;
    }
  });
}
template <class D, class S>
LaneLoop Exact(Rounding, bool saturate) {
  return Rounded<D, S>(Rounding::kRint, saturate);
}
LaneLoop Int4ToHalf(Rounding, bool) { return &FromInt4; }
LaneLoop HalfToInt4(Rounding mode, bool) {
  return InMode(mode,
                []<Rounding kMode>() -> LaneLoop { return &ToInt4<kMode>; });
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

/// Of atlas-a2 and -a3, -200i-500-a2, -inference-aicore, -training.
using Modes = std::array<std::uint8_t, 4>;

struct CastRow {
  std::uint8_t src;
  std::uint8_t dst;
  LoopOf loop;
  Modes modes;
};
template <class S, class D>
constexpr CastRow Exactly(Modes modes) {
  return {kDTypeOf<S>, kDTypeOf<D>, &Exact<D, S>, modes};
}
template <class S, class D>
constexpr CastRow WithMode(Modes modes) {
  return {kDTypeOf<S>, kDTypeOf<D>, &Rounded<D, S>, modes};
}

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint8_t;
constexpr std::array kCasts = {
    CastRow{LANEDIFF_INT4, LANEDIFF_HALF, &Int4ToHalf, {kN, 0, 0, 0}},
    CastRow{LANEDIFF_HALF, LANEDIFF_INT4, &HalfToInt4, {kFive, 0, kN, 0}},
    CastRow{LANEDIFF_INT32, LANEDIFF_HALF, &Int32ToHalf, {kAny, kN, kAny, 0}},
    Exactly<int8_t, Half>({kN, kN, kN, kN}),
    Exactly<uint8_t, Half>({kN, kN, kN, kN}),
    WithMode<int16_t, Half>({kFive, kFive, kN, kN}),
    Exactly<int16_t, float>({kN, kN, 0, 0}),
    WithMode<Half, int8_t>({kFive, kFive, kNotR, kNotR}),
    WithMode<Half, uint8_t>({kFive, kFive, kNotR, kNotR}),
    WithMode<Half, int16_t>({kFive, kFive, kR, 0}),
    WithMode<Half, int32_t>({kFive, kFive, kFive, kFive}),
    Exactly<Half, float>({kN, kN, kN, kN}),
    WithMode<Bfloat16, int32_t>({kFive, kFive, 0, 0}),
    Exactly<Bfloat16, float>({kN, kN, 0, 0}),
    Exactly<int32_t, int16_t>({kN, kN, kN, 0}),
    WithMode<int32_t, float>({kFive, kFive, kN, kN}),
    Exactly<int32_t, int64_t>({kN, kN, 0, 0}),
    WithMode<float, int16_t>({kFive, kFive, 0, 0}),
    WithMode<float, Half>({kFive | kO, kFive | kO, kO, kO}),
    WithMode<float, Bfloat16>({kFive, kFive, 0, 0}),
    WithMode<float, int32_t>({kFive, kFive, 0, 0}),
    WithMode<float, float>({kFive, kFive, 0, 0}),
    WithMode<float, int64_t>({kFive, kFive, kFive, kFive}),
    Exactly<int64_t, int32_t>({kN, kN, 0, 0}),
    WithMode<int64_t, float>({kFive, kFive, 0, 0}),
};

std::uint8_t ModesOf(const CastRow& row, isa::Product product) {
  using enum isa::Product;
  if (IsA2(product)) return row.modes[0];
  if (product == kAtlas200i500A2) return row.modes[1];
  if (product == kAtlasInferenceAicore) return row.modes[2];
  return product == kAtlasTraining ? row.modes[3] : std::uint8_t{0};
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

LaneCall ResolveCast(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  const std::uint8_t to = call.operands[dst].dtype;
  const std::uint8_t from = call.operands[src].dtype;
  const auto row = std::ranges::find_if(kCasts, [&](const CastRow& one) {
    return one.src == from && one.dst == to;
  });
  const std::uint8_t modes =
      row == kCasts.end() ? std::uint8_t{0} : ModesOf(*row, call.product);
  if (modes == 0) throw Refused(RefusedPair(call, from, to));
  const std::string_view word = call.Word("roundMode");
  const auto mode = RoundingOf(word);
  if (!mode || ((modes | kN) & Bit(*mode)) == 0) {
    throw Refused(RefusedPair(call, from, to) + " with " +
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
  flow.result = {dst, PlaceOf(parameters, flow.lanes, "dst", BitsOf(to), 1)};
  flow.AddSource(src, PlaceOf(parameters, flow.lanes, "src", BitsOf(from)));
  return resolved;
}

}  // namespace

Rows CastRows() { return {RowOf<ResolveCast, RunLanes>("Cast")}; }

}  // namespace lanediff::kernel::carried

#include "emulator/conversion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::Product;
using isa::RoundMode;

// ---- Types that hold elements -----------------------------------------------

/// A floating type of `kDigits` binary digits, the hidden one among them, and
/// the least exponent `kLeast`, as bits.
template <class T, int kPrecision, int kLeastExponent>
struct Floating {
  using Bits = T;
  static constexpr int kDigits = kPrecision;
  static constexpr int kLeast = kLeastExponent;
  static constexpr int kBits = 8 * sizeof(T);
  static constexpr Bits kInf = static_cast<Bits>(
      ((Bits{1} << (kBits - kPrecision)) - 1) << (kPrecision - 1));
  static constexpr Bits kNan =
      static_cast<Bits>(kInf | Bits{1} << (kPrecision - 2));
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kBits - 1));
};
using HalfBits = Floating<std::uint16_t, 11, -14>;
using BfloatBits = Floating<std::uint16_t, 8, -126>;
using FloatBits = Floating<std::uint32_t, 24, -126>;

template <class T>
constexpr bool kIsFloating = !std::is_integral_v<T>;

/// The value of an element, exactly; of 64-bit integers all digits that matter
/// to a rounding, in which the last one stands for all behind it.
template <class T>
double ValueOf(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, HalfBits>) {
    return HalfToFloat(static_cast<std::uint16_t>(bits));
  } else if constexpr (std::is_same_v<T, BfloatBits>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  } else if constexpr (std::is_same_v<T, FloatBits>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if constexpr (sizeof(T) < 8) {
    return static_cast<T>(bits);
  } else {
    const auto value = static_cast<T>(bits);
    const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
    const int beyond =
        std::max(static_cast<int>(std::bit_width(magnitude)) - 50, 0);
    const std::uint64_t digits = magnitude >> beyond;
    const bool lost = digits << beyond != magnitude;
    const double exact =
        std::ldexp(static_cast<double>(digits | (lost ? 1 : 0)), beyond);
    return value < 0 ? -exact : exact;
  }
}

// ---- Rounding ---------------------------------------------------------------

/// Whether a magnitude moves to the next of its steps; `half` compares what is
/// left with half a step: -1, 0 or 1.
constexpr bool MovesUp(RoundMode mode, bool negative, bool odd, int half) {
  switch (mode) {
    case RoundMode::kFloor:
      return negative;
    case RoundMode::kCeil:
      return !negative;
    case RoundMode::kRound:
      return half >= 0;
    case RoundMode::kTrunc:
      return false;
    case RoundMode::kOdd:
      return !odd;
    default:
      return half > 0 || (half == 0 && odd);
  }
}

/// To a whole number; infinity and NaN stay.
double ToWhole(double value, RoundMode mode) {
  switch (mode) {
    case RoundMode::kFloor:
      return std::floor(value);
    case RoundMode::kCeil:
      return std::ceil(value);
    case RoundMode::kRound:
      return std::round(value);
    case RoundMode::kTrunc:
      return std::trunc(value);
    default:
      return std::nearbyint(value);  // to even: the mode of every thread
  }
}

/// The bits of a number, which is no NaN, in the type `F`.
template <class F>
typename F::Bits ToFloating(double value, RoundMode mode) {
  using Bits = typename F::Bits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = bits >> 63 != 0;
  const auto sign = negative ? F::kSign : Bits{0};
  const auto stored = static_cast<int>(bits >> 52 & 0x7ff);
  if (stored == 0) return sign;  // only zero: no type here is as fine
  if (stored == 0x7ff) return static_cast<Bits>(sign | F::kInf);
  const int exponent = stored - 1023;
  if (exponent > 1 - F::kLeast) {
    const bool up = MovesUp(mode, negative, true, 1);
    return static_cast<Bits>(sign | (F::kInf - (up ? 0 : 1)));
  }
  const std::uint64_t digits = (bits & 0xfffffffffffffu) | std::uint64_t{1}
                                                               << 52;
  const int above = std::max(exponent, F::kLeast) - F::kLeast;
  const int drop =
      std::min(53 - F::kDigits + std::max(F::kLeast - exponent, 0), 60);
  std::uint64_t whole = digits >> drop;
  const std::uint64_t rest = digits - (whole << drop);
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  if (rest != 0 && MovesUp(mode, negative, (whole & 1) != 0,
                           (rest > half ? 1 : 0) - (rest < half ? 1 : 0))) {
    ++whole;
  }
  return static_cast<Bits>(
      sign | ((static_cast<std::uint64_t>(above) << (F::kDigits - 1)) + whole));
}

/// To the limits of `Int`; NaN is 0.
template <class Int>
Int ToInteger(double whole) {
  using Limits = std::numeric_limits<Int>;
  constexpr double kBeyond = static_cast<double>(Limits::max() / 2 + 1) * 2;
  if (std::isnan(whole)) return 0;
  if (whole <= static_cast<double>(Limits::min())) return Limits::min();
  return whole >= kBeyond ? Limits::max() : static_cast<Int>(whole);
}

template <class F>
typename F::Bits Saturated(typename F::Bits bits) {
  const auto magnitude = static_cast<typename F::Bits>(bits & ~F::kSign);
  if (magnitude > F::kInf) return 0;
  return magnitude == F::kInf ? static_cast<typename F::Bits>(bits - 1) : bits;
}

template <class From, class To>
std::uint64_t ConvertBits(std::uint64_t bits, RoundMode mode, bool saturation) {
  if constexpr (!kIsFloating<From> && !kIsFloating<To>) {
    using Limits = std::numeric_limits<To>;
    const auto value = static_cast<From>(bits);
    const To fitting = std::is_same_v<To, std::int64_t>
                           ? static_cast<To>(value)
                           : static_cast<To>(std::clamp<std::int64_t>(
                                 value, Limits::min(), Limits::max()));
    return static_cast<std::make_unsigned_t<To>>(fitting);
  } else if constexpr (!kIsFloating<To>) {
    const double whole = ToWhole(ValueOf<From>(bits), mode);
    return static_cast<std::make_unsigned_t<To>>(ToInteger<To>(whole));
  } else {
    double value = ValueOf<From>(bits);
    // −0 becomes +0 here.
    if (std::is_same_v<From, To>) value = ToWhole(value, mode) + 0.0;
    const auto result =
        std::isnan(value) ? To::kNan : ToFloating<To>(value, mode);
    return saturation && sizeof(result) == 2 ? Saturated<To>(result) : result;
  }
}

// ---- The pairs --------------------------------------------------------------

constexpr std::uint8_t kN = Bit(RoundMode::kNone);
constexpr std::uint8_t kR = kN | Bit(RoundMode::kRint);
constexpr std::uint8_t kOthers =
    kN | Bit(RoundMode::kFloor) | Bit(RoundMode::kCeil) |
    Bit(RoundMode::kRound) | Bit(RoundMode::kTrunc);
constexpr std::uint8_t kFive = kR | kOthers;
constexpr std::uint8_t kO = kN | Bit(RoundMode::kOdd);

struct ConversionRow {
  DType from;
  DType to;
  Conversion convert;
  /// On atlas-a2 and atlas-a3, on atlas-200i-500-a2, on atlas-inference-aicore,
  /// on atlas-training.
  std::array<std::uint8_t, 4> modes;
};

using enum DType;
using I8 = std::int8_t;
using U8 = std::uint8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;

constexpr ConversionRow kConversionRows[] = {
    {kHalf, kFloat, ConvertBits<HalfBits, FloatBits>, {kN, kN, kN, kN}},
    {kFloat,
     kHalf,
     ConvertBits<FloatBits, HalfBits>,
     {kFive | kO, kFive | kO, kO, kO}},
    {kFloat, kInt32, ConvertBits<FloatBits, I32>, {kFive, kFive, 0, 0}},
    {kInt32, kFloat, ConvertBits<I32, FloatBits>, {kFive, kFive, kN, kN}},
    {kHalf, kInt32, ConvertBits<HalfBits, I32>, {kFive, kFive, kFive, kFive}},
    {kHalf, kInt16, ConvertBits<HalfBits, I16>, {kFive, kFive, kR, 0}},
    {kHalf, kInt8, ConvertBits<HalfBits, I8>, {kFive, kFive, kOthers, kOthers}},
    {kHalf,
     kUint8,
     ConvertBits<HalfBits, U8>,
     {kFive, kFive, kOthers, kOthers}},
    {kInt8, kHalf, ConvertBits<I8, HalfBits>, {kN, kN, kN, kN}},
    {kUint8, kHalf, ConvertBits<U8, HalfBits>, {kN, kN, kN, kN}},
    {kInt16, kHalf, ConvertBits<I16, HalfBits>, {kFive, kFive, kN, kN}},
    {kInt16, kFloat, ConvertBits<I16, FloatBits>, {kN, kN, 0, 0}},
    {kBfloat16, kInt32, ConvertBits<BfloatBits, I32>, {kFive, kFive, 0, 0}},
    {kBfloat16, kFloat, ConvertBits<BfloatBits, FloatBits>, {kN, kN, 0, 0}},
    {kInt32, kInt16, ConvertBits<I32, I16>, {kN, kN, kN, 0}},
    {kInt32, kHalf, ConvertBits<I32, HalfBits>, {0, kN, 0, 0}},
    {kInt32, kInt64, ConvertBits<I32, I64>, {kN, kN, 0, 0}},
    {kFloat, kInt16, ConvertBits<FloatBits, I16>, {kFive, kFive, 0, 0}},
    {kFloat,
     kBfloat16,
     ConvertBits<FloatBits, BfloatBits>,
     {kFive, kFive, 0, 0}},
    {kFloat, kFloat, ConvertBits<FloatBits, FloatBits>, {kFive, kFive, 0, 0}},
    {kFloat, kInt64, ConvertBits<FloatBits, I64>, {kFive, kFive, kFive, kFive}},
    {kInt64, kInt32, ConvertBits<I64, I32>, {kN, kN, 0, 0}},
    {kInt64, kFloat, ConvertBits<I64, FloatBits>, {kFive, kFive, 0, 0}},
    // Of results of two elements alone.
    {kInt16, kInt8, ConvertBits<I16, I8>, {0, 0, 0, 0}},
};

const ConversionRow* Find(DType from, DType to) {
  const auto* const row =
      std::ranges::find_if(kConversionRows, [&](const ConversionRow& one) {
        return one.from == from && one.to == to;
      });
  return row == std::end(kConversionRows) ? nullptr : row;
}

}  // namespace

std::uint8_t RoundModesOf(Product product, DType from, DType to) {
  const ConversionRow* const row = Find(from, to);
  if (row == nullptr) return 0;
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return row->modes[0];
    case Product::kAtlas200i500A2:
      return row->modes[1];
    case Product::kAtlasInferenceAicore:
      return row->modes[2];
    case Product::kAtlasTraining:
      return row->modes[3];
    default:
      return 0;
  }
}

Conversion ConversionOf(DType from, DType to) {
  const ConversionRow* const row = Find(from, to);
  return row == nullptr ? nullptr : row->convert;
}

}  // namespace lanediff::emulator

// Conversions between half bits and float for every target, included once for
// each. The same bits as emulator/half.h.
#if defined(LANEDIFF_EMULATOR_VECTOR_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_HALF_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_HALF_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_HALF_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether the processor converts halves: else it takes a dozen instructions.
#undef LANEDIFF_QUICK_HALVES
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define LANEDIFF_QUICK_HALVES 1
#else
#define LANEDIFF_QUICK_HALVES 0
#endif
constexpr bool kQuickHalves = LANEDIFF_QUICK_HALVES;

/// As many halves as `DF` has floats.
template <class DF>
using HalvesOf = hn::Rebind<std::uint16_t, DF>;

/// Lanes that have the bits `bits`.
template <class DF>
HWY_INLINE hn::Vec<DF> SetBits(DF df, std::uint32_t bits) {
  return hn::BitCast(df, hn::Set(hn::RebindToUnsigned<DF>(), bits));
}

/// Exact. NaNs keep sign and payload, moved up, signalling ones too. Each lane
/// of `half` holds the bits of one, with zeros above.
template <class DF>
HWY_INLINE hn::Vec<DF> WideHalfToFloat(DF df,
                                       hn::Vec<hn::RebindToSigned<DF>> half) {
  const hn::RebindToSigned<DF> d;
  const auto magnitude = hn::And(half, hn::Set(d, 0x7fff));
  const auto sign = hn::ShiftLeft<16>(hn::Xor(half, magnitude));
  // The half's bits, read as a float, are 2^112 times too small, also where the
  // half is subnormal.
  const auto small = hn::BitCast(df, hn::ShiftLeft<13>(magnitude));
  const auto value = hn::Mul(small, hn::Set(df, 0x1p112f));
  const auto special =
      hn::And(hn::VecFromMask(d, hn::Gt(magnitude, hn::Set(d, 0x7bff))),
              hn::Set(d, 0x7f800000));
  return hn::Or(value, hn::BitCast(df, hn::Or(sign, special)));
}

/// The same for halves side by side.
template <class DF>
HWY_INLINE hn::Vec<DF> HalfToFloat(DF df, hn::Vec<HalvesOf<DF>> halves) {
  return WideHalfToFloat(df, hn::PromoteTo(hn::RebindToSigned<DF>(), halves));
}

/// The same for those who compute with them: a signalling NaN may become quiet.
template <class DF>
HWY_INLINE hn::Vec<DF> HalfToNumber(DF df, hn::Vec<HalvesOf<DF>> halves) {
#if LANEDIFF_QUICK_HALVES
  const hn::Rebind<hwy::float16_t, DF> d16;
  return hn::PromoteTo(df, hn::BitCast(d16, halves));
#else
  return HalfToFloat(df, halves);
#endif
}

/// Every lane rounded to a half, to nearest, ties to even; too large becomes
/// infinity, NaN stays some NaN.
template <class DF>
HWY_INLINE hn::Vec<DF> RoundToHalf(DF df, hn::Vec<DF> v) {
#if LANEDIFF_QUICK_HALVES
  const hn::Rebind<hwy::float16_t, DF> d16;
  return hn::PromoteTo(df, hn::DemoteTo(d16, v));
#else
  // Highway's own conversion truncates here. Adding 2^13 times the power of two
  // below a value leaves 11 bits of it; of values below 2^-14 units of 2^-24,
  // the half's subnormal step.
  const auto sign = hn::And(v, SetBits(df, 0x80000000u));
  const auto magnitude = hn::Xor(v, sign);
  const auto power = hn::BitCast(
      df, hn::Min(hn::Max(hn::BitCast(hn::RebindToSigned<DF>(),
                                      hn::And(v, SetBits(df, 0x7f800000u))),
                          hn::Set(hn::RebindToSigned<DF>(), 0x38800000)),
                  hn::Set(hn::RebindToSigned<DF>(), 0x47000000)));
  const auto shift = hn::Mul(power, hn::Set(df, 0x1p13f));
  const auto rounded = hn::Sub(hn::Add(magnitude, shift), shift);
  const auto infinite = hn::Gt(rounded, hn::Set(df, 65504.0f));
  return hn::Or(hn::IfThenElse(infinite, SetBits(df, 0x7f800000u), rounded),
                sign);
#endif
}

/// Infinities and what is too large become the largest half, NaN becomes +0.
template <class DF>
HWY_INLINE hn::Vec<DF> ClampToHalf(DF df, hn::Vec<DF> v) {
  const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
  const auto most = hn::Set(df, 65504.0f);
  return hn::Min(hn::Max(number, hn::Neg(most)), most);
}

/// RoundToHalf in saturation mode.
template <class DF>
HWY_INLINE hn::Vec<DF> SaturateToHalf(DF df, hn::Vec<DF> v) {
  return RoundToHalf(df, ClampToHalf(df, v));
}

/// The bits of values that are halves; NaN becomes 0x7e00.
template <class DF>
HWY_INLINE hn::Vec<HalvesOf<DF>> BitsOfHalves(DF df, hn::Vec<DF> v) {
  const hn::RebindToSigned<DF> d;
  const auto bits = hn::BitCast(d, v);
  const auto sign =
      hn::And(bits, hn::Set(d, static_cast<std::int32_t>(0x80000000u)));
  const auto magnitude = hn::Xor(bits, sign);
  const auto small = hn::BitCast(
      d, hn::Mul(hn::BitCast(df, magnitude), hn::Set(df, 0x1p-112f)));
  // Infinity stays infinity, whose exponent has three bits too many.
  const auto half =
      hn::Or(hn::And(hn::ShiftRight<13>(small), hn::Set(d, 0x7fff)),
             hn::BitCast(d, hn::ShiftRight<16>(hn::BitCast(
                                hn::RebindToUnsigned<DF>(), sign))));
  const auto nan = hn::Gt(magnitude, hn::Set(d, 0x7f800000));
  return hn::DemoteTo(HalvesOf<DF>(),
                      hn::IfThenElse(nan, hn::Set(d, 0x7e00), half));
}

/// The bits of values rounded to half, to nearest, ties to even; too large
/// becomes infinity, a NaN must be 0x7fc00000 and becomes 0x7e00.
template <class DF>
HWY_INLINE hn::Vec<HalvesOf<DF>> RoundedBits(DF df, hn::Vec<DF> v) {
#if LANEDIFF_QUICK_HALVES
  const hn::Rebind<hwy::float16_t, DF> d16;
  return hn::BitCast(HalvesOf<DF>(), hn::DemoteTo(d16, v));
#else
  return BitsOfHalves(df, RoundToHalf(df, v));
#endif
}

/// `v` with every NaN as 0x7fc00000.
template <class DF>
HWY_INLINE hn::Vec<DF> WithOneNan(DF df, hn::Vec<DF> v) {
  return hn::IfThenElse(hn::Eq(v, v), v, SetBits(df, 0x7fc00000u));
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

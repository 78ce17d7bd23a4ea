// Conversions of elements for every target, included once for each. The same
// bits as emulator/conversion.cc.
#if defined(LANEDIFF_EMULATOR_VECTOR_CONVERSION_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_CONVERSION_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_CONVERSION_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_CONVERSION_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "emulator/conversion.h"
#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Everything goes through as many floats as a DataBlock has.
using Floats = BlockTag<float>;
using FloatVec = hn::Vec<Floats>;
template <class T>
using Beside = hn::Rebind<T, Floats>;

// ---- Elements as floats, exactly --------------------------------------------

struct FromFloat {
  static constexpr std::int64_t kBytes = 4;
  static HWY_INLINE FloatVec Load(const std::uint8_t* at) {
    return LoadFrom(Floats(), at);
  }
};
struct FromHalf {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE FloatVec Load(const std::uint8_t* at) {
    return HalfToFloat(Floats(), LoadFrom(HalvesOf<Floats>(), at));
  }
};
struct FromBfloat {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE FloatVec Load(const std::uint8_t* at) {
    const Beside<std::uint32_t> d;
    const auto wide = hn::PromoteTo(d, LoadFrom(Beside<std::uint16_t>(), at));
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(wide));
  }
};
template <class Int>
struct FromInt {
  static constexpr std::int64_t kBytes = sizeof(Int);
  static HWY_INLINE FloatVec Load(const std::uint8_t* at) {
    const Beside<std::int32_t> d;
    if constexpr (sizeof(Int) == 4) {  // rounded, to even
      return hn::ConvertTo(Floats(), LoadFrom(d, at));
    } else {
      return hn::ConvertTo(Floats(),
                           hn::PromoteTo(d, LoadFrom(Beside<Int>(), at)));
    }
  }
};

// ---- To whole numbers -------------------------------------------------------

struct AsIs {
  static HWY_INLINE FloatVec Of(FloatVec v) { return v; }
};
struct Rint {
  static HWY_INLINE FloatVec Of(FloatVec v) { return hn::Round(v); }
};
struct Floor {
  static HWY_INLINE FloatVec Of(FloatVec v) { return hn::Floor(v); }
};
struct Ceil {
  static HWY_INLINE FloatVec Of(FloatVec v) { return hn::Ceil(v); }
};
struct Trunc {
  static HWY_INLINE FloatVec Of(FloatVec v) { return hn::Trunc(v); }
};
struct TiesAway {
  static HWY_INLINE FloatVec Of(FloatVec v) {
    const Floats d;
    const auto whole = hn::Trunc(v);
    const auto rest = hn::Abs(hn::Sub(v, whole));
    const auto step = hn::CopySign(hn::Set(d, 1.0f), v);
    return hn::IfThenElse(hn::Ge(rest, hn::Set(d, 0.5f)), hn::Add(whole, step),
                          whole);
  }
};

// ---- Results ----------------------------------------------------------------

struct ToFloat {
  static constexpr std::int64_t kBytes = 4;
  static HWY_INLINE void Store(FloatVec v, std::uint8_t* at) {
    StoreTo(Floats(), WithOneNan(Floats(), v), at);
  }
};
/// Without a sign of zeros.
struct ToWholeFloat {
  static constexpr std::int64_t kBytes = 4;
  static HWY_INLINE void Store(FloatVec v, std::uint8_t* at) {
    ToFloat::Store(hn::Add(v, hn::Zero(Floats())), at);
  }
};
template <bool kSaturate>
struct ToHalf {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE void Store(FloatVec v, std::uint8_t* at) {
    const Floats d;
    const auto number = kSaturate ? ClampToHalf(d, v) : WithOneNan(d, v);
    StoreTo(HalvesOf<Floats>(), RoundedBits(d, number), at);
  }
};
template <bool kSaturate>
struct ToBfloat {
  static constexpr std::int64_t kBytes = 2;
  static HWY_INLINE void Store(FloatVec v, std::uint8_t* at) {
    const Beside<std::uint32_t> d;
    const Beside<std::int32_t> ds;
    const auto bits = hn::BitCast(d, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1u));
    auto upper =
        hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fffu))));
    const auto number = hn::RebindMask(d, hn::Eq(v, v));
    if constexpr (kSaturate) {
      const auto infinite =
          hn::Eq(hn::And(upper, hn::Set(d, 0x7fffu)), hn::Set(d, 0x7f80u));
      upper = hn::Sub(upper, hn::IfThenElseZero(infinite, hn::Set(d, 1u)));
      upper = hn::IfThenElseZero(number, upper);
    } else {
      upper = hn::IfThenElse(number, upper, hn::Set(d, 0x7fc0u));
    }
    const Beside<std::uint16_t> d16;
    StoreTo(d16, hn::DemoteTo(d16, hn::BitCast(ds, upper)), at);
  }
};
template <class Int>
struct ToInt {
  static constexpr std::int64_t kBytes = sizeof(Int);
  static HWY_INLINE void Store(FloatVec v, std::uint8_t* at) {
    using Limits = std::numeric_limits<Int>;
    constexpr bool kWide = sizeof(Int) == 4;
    // The largest float below 2^31, beyond which there is none in between.
    constexpr float kMost =
        kWide ? 2147483520.0f : static_cast<float>(Limits::max());
    const Floats d;
    const Beside<std::int32_t> d32;
    const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
    const auto fitting =
        hn::Min(hn::Max(number, hn::Set(d, static_cast<float>(Limits::min()))),
                hn::Set(d, kMost));
    const auto whole = hn::ConvertTo(d32, fitting);
    if constexpr (kWide) {
      const auto above = hn::RebindMask(d32, hn::Gt(v, hn::Set(d, kMost)));
      StoreTo(d32, hn::IfThenElse(above, hn::Set(d32, Limits::max()), whole),
              at);
    } else {
      const Beside<Int> narrow;
      StoreTo(narrow, hn::DemoteTo(narrow, whole), at);
    }
  }
};

// ---- Many elements side by side ---------------------------------------------

/// Converts elements, as many of `count` as fill vectors; returns how many. May
/// be in place where results are no wider, and from the end of wider ones.
using ConversionRun = std::int64_t (*)(const std::uint8_t* src,
                                       std::uint8_t* dst, std::int64_t count);

template <class From, class Whole, class To>
std::int64_t Converting(const std::uint8_t* src, std::uint8_t* dst,
                        std::int64_t count) {
  const auto step = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    To::Store(Whole::Of(From::Load(src + i * From::kBytes)),
              dst + i * To::kBytes);
  }
  return i;
}

inline bool RoundsToEven(isa::RoundMode mode) {
  return mode == isa::RoundMode::kNone || mode == isa::RoundMode::kRint;
}

template <class From, class To>
ConversionRun ToWhole(isa::RoundMode mode) {
  switch (mode) {
    case isa::RoundMode::kFloor:
      return Converting<From, Floor, To>;
    case isa::RoundMode::kCeil:
      return Converting<From, Ceil, To>;
    case isa::RoundMode::kRound:
      return Converting<From, TiesAway, To>;
    case isa::RoundMode::kTrunc:
      return Converting<From, Trunc, To>;
    case isa::RoundMode::kOdd:
      return nullptr;
    default:
      return Converting<From, Rint, To>;
  }
}

template <class From>
ConversionRun ToHalves(bool saturation) {
  return saturation ? Converting<From, AsIs, ToHalf<true>>
                    : Converting<From, AsIs, ToHalf<false>>;
}

/// Null where it takes one element after the other.
inline ConversionRun RunOf(isa::DType from, isa::DType to, isa::RoundMode mode,
                           bool saturation) {
  using enum isa::DType;
  const bool even = RoundsToEven(mode);
  if (from == kHalf) {
    if (to == kFloat) return Converting<FromHalf, AsIs, ToFloat>;
    if (to == kInt32) return ToWhole<FromHalf, ToInt<std::int32_t>>(mode);
    if (to == kInt16) return ToWhole<FromHalf, ToInt<std::int16_t>>(mode);
    if (to == kInt8) return ToWhole<FromHalf, ToInt<std::int8_t>>(mode);
    if (to == kUint8) return ToWhole<FromHalf, ToInt<std::uint8_t>>(mode);
  } else if (from == kFloat) {
    if (to == kHalf && even) return ToHalves<FromFloat>(saturation);
    if (to == kInt32) return ToWhole<FromFloat, ToInt<std::int32_t>>(mode);
    if (to == kInt16) return ToWhole<FromFloat, ToInt<std::int16_t>>(mode);
    if (to == kFloat) return ToWhole<FromFloat, ToWholeFloat>(mode);
    if (to == kBfloat16 && even) {
      return saturation ? Converting<FromFloat, AsIs, ToBfloat<true>>
                        : Converting<FromFloat, AsIs, ToBfloat<false>>;
    }
  } else if (from == kBfloat16) {
    if (to == kFloat) return Converting<FromBfloat, AsIs, ToFloat>;
    if (to == kInt32) return ToWhole<FromBfloat, ToInt<std::int32_t>>(mode);
  } else if (to == kHalf && even) {
    if (from == kInt8) return ToHalves<FromInt<std::int8_t>>(saturation);
    if (from == kUint8) return ToHalves<FromInt<std::uint8_t>>(saturation);
    if (from == kInt16) return ToHalves<FromInt<std::int16_t>>(saturation);
  } else if (from == kInt16 && to == kInt8) {
    return Converting<FromInt<std::int16_t>, AsIs, ToInt<std::int8_t>>;
  } else if (to == kFloat && even) {
    if (from == kInt16) {
      return Converting<FromInt<std::int16_t>, AsIs, ToFloat>;
    }
    if (from == kInt32) {
      return Converting<FromInt<std::int32_t>, AsIs, ToFloat>;
    }
  }
  return nullptr;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// What the lane-wise calls compute of vectors for every target, included
// once for each. The same bits as emulator/lanewise_values.h.
#if defined(LANEDIFF_EMULATOR_VECTOR_LANEWISE_VALUES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_LANEWISE_VALUES_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_LANEWISE_VALUES_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_LANEWISE_VALUES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/lanewise.h"
#include "emulator/lanewise_values.h"
#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The functors of the instruction in row `kRow`: of a tag, and of a vector of
/// its lanes of each source, of the scalar and of dst, of those that it has:
/// `Bits` of every type, `Words` of `kShifts`, rounded or not, or one for each
/// kind of type. Those with a flag compute in saturation mode or without;
/// halves are bits.
template <std::size_t kRow>
struct VectorValue;

// ---- One of the two ---------------------------------------------------------

struct Smaller {
  template <class V>
  static HWY_INLINE V First(V a, V b) {
    return hn::Min(a, b);
  }
  /// Of two zeros First gives one or the other: the smaller has every sign.
  template <class V>
  static HWY_INLINE V OfEqual(V a, V b) {
    return hn::Or(a, b);
  }
};

struct Larger {
  template <class V>
  static HWY_INLINE V First(V a, V b) {
    return hn::Max(a, b);
  }
  template <class V>
  static HWY_INLINE V OfEqual(V a, V b) {
    return hn::And(a, b);
  }
};

template <class Order>
struct OneOfTwo {
  struct EitherMode {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
      return Order::First(a, b);
    }
  };
  template <bool>
  using Integer = EitherMode;

  struct Float {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      const V first = Order::OfEqual(Order::First(a, b), Order::First(b, a));
      const auto number = hn::And(hn::Eq(a, a), hn::Eq(b, b));
      return hn::IfThenElse(number, first, SetBits(d, 0x7fc00000u));
    }
  };

  using HalfTag = BlockTag<std::int16_t>;
  template <bool kSaturate>
  struct Half {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      V first = Order::First(Ordered(d, a), Ordered(d, b));
      if constexpr (kSaturate) {
        // Infinities step down to the largest finite values, the next in order.
        first = hn::Max(first, hn::Set(d, -kInf));
        first = hn::Min(first, hn::Set(d, kInf - 1));
      }
      first = Ordered(d, first);
      const V magnitude = hn::Set(d, 0x7fff);
      const V larger = hn::Max(hn::And(a, magnitude), hn::And(b, magnitude));
      const auto nan = hn::Gt(larger, hn::Set(d, kInf));
      if constexpr (kSaturate) return hn::IfThenZeroElse(nan, first);
      return hn::IfThenElse(nan, hn::Set(d, kNan), first);
    }

   private:
    static constexpr std::int16_t kInf = 0x7c00;
    static constexpr std::int16_t kNan = 0x7e00;

    /// Bits in the order of the values as integers, and back: the magnitudes of
    /// negative ones are turned round.
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V Ordered(D d, V v) {
      const hn::RebindToUnsigned<D> du;
      const auto negative = hn::BitCast(du, hn::BroadcastSignBit(v));
      return hn::Xor(v, hn::BitCast(d, hn::ShiftRight<1>(negative)));
    }
  };
};

// ---- A result of its own ----------------------------------------------------

/// The largest value of the lanes where `v` is not negative, else the smallest.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V LimitOf(D d, V v) {
  using Limits = std::numeric_limits<hn::TFromD<D>>;
  return hn::IfNegativeThenElse(v, hn::Set(d, Limits::min()),
                                hn::Set(d, Limits::max()));
}

struct Sum {
  template <class V>
  static HWY_INLINE V Exact(V a, V b) {
    return hn::Add(a, b);
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Saturated(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
      return hn::SaturatedAdd(a, b);
    } else if constexpr (!hwy::IsSigned<hn::TFromD<D>>()) {
      const V sum = hn::Add(a, b);
      return hn::Or(sum, hn::VecFromMask(d, hn::Lt(sum, a)));
    } else {
      // Too large if the operands have one sign and the sum the other.
      const V sum = hn::Add(a, b);
      const V wrong = hn::And(hn::Xor(a, sum), hn::Xor(b, sum));
      return hn::IfNegativeThenElse(wrong, LimitOf(d, a), sum);
    }
  }
};

struct Difference {
  template <class V>
  static HWY_INLINE V Exact(V a, V b) {
    return hn::Sub(a, b);
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Saturated(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
      return hn::SaturatedSub(a, b);
    } else {
      // Too large if the operands' signs differ and the result's is not the
      // first one's.
      const V difference = hn::Sub(a, b);
      const V wrong = hn::And(hn::Xor(a, b), hn::Xor(a, difference));
      return hn::IfNegativeThenElse(wrong, LimitOf(d, a), difference);
    }
  }
};

struct Product {
  template <class V>
  static HWY_INLINE V Exact(V a, V b) {
    return hn::Mul(a, b);
  }
  /// Where unsigned lanes hold their product.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE hn::Mask<D> Fits(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
      return hn::Eq(hn::MulHigh(a, b), hn::Zero(d));
    } else {
#if HWY_TARGET == HWY_SCALAR
      const std::uint64_t exact =
          std::uint64_t{hn::GetLane(a)} * hn::GetLane(b);
      return hn::Eq(hn::Set(d, static_cast<std::uint32_t>(exact >> 32)),
                    hn::Zero(d));
#else
      const auto even = hn::MulEven(a, b);
      const auto odd = hn::MulEven(hn::Shuffle2301(a), hn::Shuffle2301(b));
      const V above = hn::OddEven(hn::BitCast(d, odd),
                                  hn::Shuffle2301(hn::BitCast(d, even)));
      return hn::Eq(above, hn::Zero(d));
#endif
    }
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Saturated(D d, V a, V b) {
    if constexpr (!hwy::IsSigned<hn::TFromD<D>>()) {
      return hn::IfThenElse(Fits(d, a, b), hn::Mul(a, b),
                            hn::Set(d, hwy::HighestValue<hn::TFromD<D>>()));
    } else if constexpr (sizeof(hn::TFromD<D>) == 2) {
      const V low = hn::Mul(a, b);
      const V high = hn::MulHigh(a, b);
      const auto fits = hn::Eq(high, hn::BroadcastSignBit(low));
      return hn::IfThenElse(fits, low, LimitOf(d, high));
    } else {
#if HWY_TARGET == HWY_SCALAR
      const std::int64_t exact = std::int64_t{hn::GetLane(a)} * hn::GetLane(b);
      return hn::Set(d, static_cast<std::int32_t>(std::clamp<std::int64_t>(
                            exact, std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::int32_t>::max())));
#else
      // A product fits where adding 2^31 leaves nothing above its 32 bits.
      const hn::Repartition<std::int64_t, D> wide;
      const auto half = hn::Set(wide, std::int64_t{1} << 31);
      const auto even = hn::Add(hn::MulEven(a, b), half);
      const auto odd =
          hn::Add(hn::MulEven(hn::Shuffle2301(a), hn::Shuffle2301(b)), half);
      const V above = hn::OddEven(hn::BitCast(d, odd),
                                  hn::Shuffle2301(hn::BitCast(d, even)));
      return hn::IfThenElse(hn::Eq(above, hn::Zero(d)), hn::Mul(a, b),
                            LimitOf(d, above));
#endif
    }
  }
};

template <class Operator>
struct ResultOfTwo {
  template <bool kSaturate>
  struct Integer {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      if constexpr (kSaturate) return Operator::Saturated(d, a, b);
      return Operator::Exact(a, b);
    }
  };

  struct Float {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      return WithOneNan(d, Operator::Exact(a, b));
    }
  };

  using HalfTag = HalvesOf<BlockTag<float>>;
  /// Through float, which rounds to the same half: see emulator/arithmetic.h.
  template <bool kSaturate>
  struct Half {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
      const BlockTag<float> df;
      const auto result =
          Operator::Exact(HalfToNumber(df, a), HalfToNumber(df, b));
      return RoundedBits(
          df, kSaturate ? ClampToHalf(df, result) : WithOneNan(df, result));
    }
  };
};

// ---- Bits -------------------------------------------------------------------

struct Magnitude {
  template <bool kSaturate>
  struct Integer {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a) const {
      const V size = hn::Abs(a);
      if constexpr (!kSaturate) return size;
      return hn::IfNegativeThenElse(
          size, hn::Set(d, std::numeric_limits<hn::TFromD<D>>::max()), size);
    }
  };

  struct Float {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a) const {
      return WithOneNan(d, hn::Abs(a));
    }
  };

  using HalfTag = BlockTag<std::int16_t>;
  template <bool kSaturate>
  struct Half {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a) const {
      const V size = hn::And(a, hn::Set(d, 0x7fff));
      const auto nan = hn::Gt(size, hn::Set(d, 0x7c00));
      if constexpr (kSaturate) {
        return hn::IfThenZeroElse(nan, hn::Min(size, hn::Set(d, 0x7bff)));
      }
      return hn::IfThenElse(nan, hn::Set(d, 0x7e00), size);
    }
  };
};

struct Conjunction {
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return hn::And(a, b);
  }
};

struct Disjunction {
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return hn::Or(a, b);
  }
};

template <class Operator>
struct BitsOfTwo {
  struct Bits {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
      return Operator::Of(a, b);
    }
  };
};

struct Complement {
  struct Bits {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a) const {
      return hn::Not(a);
    }
  };
};

// ---- Against zero -----------------------------------------------------------

template <class OfTwo>
struct AgainstZero {
  template <class Value>
  struct WithZero {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a) const {
      return Value()(d, a, hn::Zero(d));
    }
  };

  template <bool kSaturate>
  using Integer = WithZero<typename OfTwo::template Integer<kSaturate>>;
  using Float = WithZero<typename OfTwo::Float>;
  using HalfTag = typename OfTwo::HalfTag;
  template <bool kSaturate>
  using Half = WithZero<typename OfTwo::template Half<kSaturate>>;
};

// ---- A result of its own and a sign -----------------------------------------

/// Halves have the bits 0x3c00 where they are 1, floats 0x3f800000.
struct Leaky {
  template <class Value>
  struct Times {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V scalar) const {
      const hn::RebindToSigned<D> bits;
      constexpr auto kOne = static_cast<hn::TFromD<decltype(bits)>>(
          sizeof(hn::TFromD<D>) == 2 ? 0x3c00 : 0x3f800000);
      const auto factor = hn::IfNegativeThenElse(
          hn::BitCast(bits, a), hn::BitCast(bits, scalar), hn::Set(bits, kOne));
      return Value()(d, a, hn::BitCast(d, factor));
    }
  };

  using Float = Times<ResultOfTwo<Product>::Float>;
  using HalfTag = ResultOfTwo<Product>::HalfTag;
  template <bool kSaturate>
  using Half = Times<ResultOfTwo<Product>::Half<kSaturate>>;
};

template <class Operator>
struct Rectified {
  /// A value with a sign is negative as an integer, too; no NaN has one.
  template <class Value>
  struct NotNegative {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      const hn::RebindToSigned<D> bits;
      return hn::BitCast(
          d, hn::Max(hn::BitCast(bits, Value()(d, a, b)), hn::Zero(bits)));
    }
  };

  using Result = ResultOfTwo<Operator>;
  template <bool kSaturate>
  using Integer = NotNegative<typename Result::template Integer<kSaturate>>;
  using Float = NotNegative<typename Result::Float>;
  using HalfTag = typename Result::HalfTag;
  template <bool kSaturate>
  using Half = NotNegative<typename Result::template Half<kSaturate>>;
};

/// What is converted then: NaN is 0.
template <class Result>
struct ForCast : Result {
  struct Float {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V b) const {
      const V result = typename Result::Float()(d, a, b);
      return hn::IfThenElseZero(hn::Eq(result, result), result);
    }
  };
};

struct Copy {
  struct Bits {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a) const {
      return a;
    }
  };
};

// ---- Numbers of lanes
// ----------------------------------------------------------

/// Of the tag of 32 bits that the sum is computed with, and of the number of
/// the first lane: the scalar plus the numbers of lanes.
struct Counted {
  template <bool kSaturate>
  struct Integer {
    template <class Int>
    static HWY_INLINE void Store(Int first, std::int32_t number,
                                 std::uint8_t* out) {
      const BlockTag<std::int32_t> d;
      const auto a = hn::Set(d, std::int32_t{first});
      const auto b = hn::Iota(d, number);
      if constexpr (sizeof(Int) == 4) {
        StoreTo(d, kSaturate ? Sum::Saturated(d, a, b) : Sum::Exact(a, b), out);
      } else {
        auto sum = hn::Add(a, b);
        if constexpr (!kSaturate) {
          sum = hn::ShiftRight<16>(hn::ShiftLeft<16>(sum));
        }
        const hn::Rebind<Int, decltype(d)> narrow;
        StoreTo(narrow, hn::DemoteTo(narrow, sum), out);
      }
    }
  };

  struct Float {
    static HWY_INLINE void Store(float first, std::int32_t number,
                                 std::uint8_t* out) {
      const BlockTag<float> d;
      const auto sum =
          hn::Add(hn::Set(d, first), hn::Iota(d, static_cast<float>(number)));
      StoreTo(d, WithOneNan(d, sum), out);
    }
  };

  template <bool kSaturate>
  struct Half {
    /// The sum is rounded to odd before it is rounded to half.
    static HWY_INLINE void Store(float first, std::int32_t number,
                                 std::uint8_t* out) {
      const BlockTag<float> d;
      const hn::RebindToSigned<decltype(d)> bits;
      const auto a = hn::Set(d, first);
      const auto b = hn::Iota(d, static_cast<float>(number));
      const auto nearest = hn::Add(a, b);
      const auto part = hn::Sub(nearest, a);
      const auto error =
          hn::Add(hn::Sub(a, hn::Sub(nearest, part)), hn::Sub(b, part));
      const auto even =
          hn::Eq(hn::And(hn::BitCast(bits, nearest), hn::Set(bits, 1)),
                 hn::Zero(bits));
      // No error of infinities and NaN is a number.
      const auto moves = hn::And(
          even, hn::RebindMask(bits, hn::Gt(hn::Abs(error), hn::Zero(d))));
      const auto inward =
          hn::BroadcastSignBit(hn::BitCast(bits, hn::Xor(error, nearest)));
      const auto step = hn::Or(inward, hn::Set(bits, 1));
      const auto odd = hn::BitCast(d, hn::Add(hn::BitCast(bits, nearest),
                                              hn::IfThenElseZero(moves, step)));
      StoreTo(
          HalvesOf<decltype(d)>(),
          RoundedBits(d, kSaturate ? ClampToHalf(d, odd) : WithOneNan(d, odd)),
          out);
    }
  };
};

// ---- Shifts -----------------------------------------------------------------

/// The lanes' number of bits, at most all of them; each lane has the same.
template <class D, class V = hn::Vec<D>>
HWY_INLINE int BitsToShift(D, V by) {
  const hn::RebindToUnsigned<D> bits;
  constexpr unsigned kAll = 8 * sizeof(hn::TFromD<D>);
  return static_cast<int>(
      std::min<unsigned>(hn::GetLane(hn::BitCast(bits, by)), kAll));
}

struct LeftShifted {
  static constexpr bool kShifts = true;

  template <bool>
  struct Words {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V by) const {
      using Lane = hn::TFromD<D>;
      constexpr int kAll = 8 * sizeof(Lane);
      const int bits = BitsToShift(d, by);
      const V moved = bits == kAll ? hn::Zero(d) : hn::ShiftLeftSame(a, bits);
      if constexpr (!hwy::IsSigned<Lane>()) return moved;
      const V sign = hn::Set(d, hwy::LowestValue<Lane>());
      return hn::OrAnd(hn::AndNot(sign, moved), sign, a);
    }
  };
};

struct RightShifted {
  static constexpr bool kShifts = true;

  template <bool kRound>
  struct Words {
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D d, V a, V by) const {
      using Lane = hn::TFromD<D>;
      constexpr int kAll = 8 * sizeof(Lane);
      const int bits = BitsToShift(d, by);
      if constexpr (!hwy::IsSigned<Lane>()) {
        return bits == kAll ? hn::Zero(d) : hn::ShiftRightSame(a, bits);
      }
      const V moved = hn::ShiftRightSame(a, std::min(bits, kAll - 1));
      if constexpr (kRound) {
        if (bits == 0) return a;
        // The bit that left last.
        const V last = hn::ShiftRightSame(a, bits - 1);
        return hn::Add(moved, hn::And(last, hn::Set(d, Lane{1})));
      }
      return moved;
    }
  };
};

// ---- Two results ------------------------------------------------------------

/// `Times` of the first element and the one of number `kFactor`, and `Plus` of
/// that and the one of number `kTerm`.
template <int kFactor, class Times, class Plus>
struct InTwoSteps {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V a, V b, V c) const {
    return Plus()(d, Times()(d, a, kFactor == 1 ? b : c), kFactor == 1 ? c : b);
  }
};

template <int kFactor, int kTerm>
struct OnProduct {
  static_assert(kFactor + kTerm == 3);
  using Times = ResultOfTwo<Product>;
  using Plus = ResultOfTwo<Sum>;

  template <bool kSaturate>
  using Integer =
      InTwoSteps<kFactor, Times::Integer<kSaturate>, Plus::Integer<kSaturate>>;
  using Float = InTwoSteps<kFactor, Times::Float, Plus::Float>;
  using HalfTag = Plus::HalfTag;
  template <bool kSaturate>
  using Half =
      InTwoSteps<kFactor, Times::Half<kSaturate>, Plus::Half<kSaturate>>;
};

struct PositiveOnProduct {
  using Times = ResultOfTwo<Product>;
  using Plus = Rectified<Sum>;

  using Float = InTwoSteps<2, Times::Float, Plus::Float>;
  using HalfTag = Plus::HalfTag;
  template <bool kSaturate>
  using Half = InTwoSteps<2, Times::Half<kSaturate>, Plus::Half<kSaturate>>;
};

/// By emulator/vector/conversion-inl.h.
struct Converted {};
struct Selected {};

/// By emulator/vector/lanewise.cc.
struct Compared {};

// ---- Functions --------------------------------------------------------------

struct Quotient : lanediff::emulator::Quotient {};
struct Exponential : lanediff::emulator::Exponential {};
struct Logarithm : lanediff::emulator::Logarithm {};
struct Reciprocal : lanediff::emulator::Reciprocal {};
struct Root : lanediff::emulator::Root {};
struct InverseRoot : lanediff::emulator::InverseRoot {};

/// Lane by lane: Highway has no vectors of their doubles everywhere.
template <class Function>
struct Nearly {
  using Plain = lanediff::emulator::Nearly<Function>;

  /// `value` of the bits of each lane.
  template <class D, class Value, class... V>
  static HWY_INLINE hn::Vec<D> Lanes(D d, Value value, V... v) {
    using Lane = hn::TFromD<D>;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    HWY_ALIGN Lane in[sizeof...(V)][kLanes];
    HWY_ALIGN Lane out[kLanes];
    std::size_t i = 0;
    (hn::Store(v, d, in[i++]), ...);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if constexpr (sizeof...(V) == 1) {
        out[lane] = value(in[0][lane]);
      } else {
        out[lane] = value(in[0][lane], in[1][lane]);
      }
    }
    return hn::Load(d, out);
  }

  struct Float {
    template <class D, class... V>
    HWY_INLINE hn::Vec<D> operator()(D d, V... v) const {
      const hn::RebindToUnsigned<D> bits;
      const auto plain = [](auto... lanes) {
        return Plain::Float(lanes..., false);
      };
      return hn::BitCast(d, Lanes(bits, plain, hn::BitCast(bits, v)...));
    }
  };

  using HalfTag = BlockTag<std::uint16_t>;
  template <bool kSaturate>
  struct Half {
    template <class D, class... V>
    HWY_INLINE hn::Vec<D> operator()(D d, V... v) const {
      const auto plain = [](auto... lanes) {
        return Plain::Half(lanes..., kSaturate);
      };
      return Lanes(d, plain, v...);
    }
  };
};

// ---- The calls --------------------------------------------------------------

#define LANEDIFF_LANEWISE_VALUE(op, limits, ...) \
  template <>                                    \
  struct VectorValue<LanewiseRow(#op)> : __VA_ARGS__ {};
#include "emulator/lanewise.inc"
#undef LANEDIFF_LANEWISE_VALUE

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

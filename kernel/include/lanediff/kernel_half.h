#ifndef LANEDIFF_KERNEL_HALF_H
#define LANEDIFF_KERNEL_HALF_H

#include <cstdint>
#include <type_traits>

/// half and bfloat16 of kernels, for scalars: tensors are the library's.
namespace lanediff::front {

/// The bits of a floating type of 2 bytes with `kMantissa` stored bits of
/// significand: sign, exponent, significand as in IEEE 754.
template <int kMantissa>
struct Format {
  static constexpr int kShift = 23 - kMantissa;  ///< bits float has more
  static constexpr int kMaxExponent = (1 << (15 - kMantissa)) - 1;
  static constexpr int kBias = kMaxExponent / 2;

  /// To nearest even; a NaN keeps its sign and upper bits and becomes quiet.
  static constexpr std::uint16_t FromFloat(float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = bits >> 16 & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    const auto infinity = static_cast<std::uint32_t>(kMaxExponent) << kMantissa;
    if (magnitude > 0x7f800000U) {
      return static_cast<std::uint16_t>(
          sign | infinity | 1U << (kMantissa - 1) |
          (magnitude >> kShift & ((1U << kMantissa) - 1)));
    }
    const int exponent = static_cast<int>(magnitude >> 23) - 127 + kBias;
    if (exponent >= kMaxExponent) {
      return static_cast<std::uint16_t>(sign | infinity);
    }
    std::uint32_t significand = magnitude;
    int drop = kShift;
    if (exponent > 0) {
      significand -= static_cast<std::uint32_t>(127 - kBias) << 23;
    } else if (127 != kBias) {  // subnormal: the leading 1 is stored
      significand = (magnitude & 0x7fffffU) | 0x800000U;
      drop += 1 - exponent;
      if (drop > 25) return static_cast<std::uint16_t>(sign);
    }
    const std::uint32_t half = 1U << (drop - 1);
    const std::uint32_t odd = significand >> drop & 1;
    return static_cast<std::uint16_t>(sign |
                                      (significand + half - 1 + odd) >> drop);
  }

  static constexpr float ToFloat(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = (bits & 0x7fffU) >> kMantissa;
    const std::uint32_t significand = bits & ((1U << kMantissa) - 1);
    if (exponent == 0 && kBias != 127) {
      // 2^(1 - bias - mantissa), exactly.
      constexpr auto unit = __builtin_bit_cast(
          float, static_cast<std::uint32_t>(127 + 1 - kBias - kMantissa) << 23);
      const float value = static_cast<float>(significand) * unit;
      return sign != 0 ? -value : value;
    }
    const std::uint32_t wide =
        exponent == static_cast<std::uint32_t>(kMaxExponent)
            ? 255U
            : exponent + static_cast<std::uint32_t>(127 - kBias);
    return __builtin_bit_cast(float, sign | wide << 23 | significand << kShift);
  }
};

/// A floating type of 2 bytes: arithmetic through float, each result rounded
/// to nearest even.
template <int kMantissa>
class SmallFloat {
 public:
  SmallFloat() = default;
  template <typename V, std::enable_if_t<std::is_arithmetic_v<V>, int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  constexpr SmallFloat(V value)
      : bits_(Format<kMantissa>::FromFloat(Narrow(value))) {}
  template <int kOther, std::enable_if_t<kOther != kMantissa, int> = 0>
  explicit constexpr SmallFloat(SmallFloat<kOther> value)
      : SmallFloat(static_cast<float>(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  constexpr operator float() const { return Format<kMantissa>::ToFloat(bits_); }
  constexpr SmallFloat operator-() const {
    SmallFloat result(*this);
    result.bits_ ^= 0x8000U;
    return result;
  }
  template <typename V>
  constexpr SmallFloat& operator+=(V by) {
    return *this = *this + by;
  }
  template <typename V>
  constexpr SmallFloat& operator-=(V by) {
    return *this = *this - by;
  }
  template <typename V>
  constexpr SmallFloat& operator*=(V by) {
    return *this = *this * by;
  }
  template <typename V>
  constexpr SmallFloat& operator/=(V by) {
    return *this = *this / by;
  }

 private:
  /// To float without rounding twice: what float can't hold exactly is rounded
  /// to odd, so that the next rounding sees it.
  template <typename V>
  static constexpr float Narrow(V value) {
    const auto narrow = static_cast<float>(value);
    if constexpr (sizeof(V) > 2 && !std::is_same_v<V, float>) {
      const auto wide = static_cast<long double>(value);
      const auto back = static_cast<long double>(narrow);
      auto bits = __builtin_bit_cast(std::uint32_t, narrow);
      const bool finite = (bits & 0x7f800000U) != 0x7f800000U;
      if (finite && wide != back && (bits & 1) == 0) {
        const bool away = (wide > back) == (wide > 0);
        bits = away ? bits + 1 : bits - 1;
        return __builtin_bit_cast(float, bits);
      }
    }
    return narrow;
  }

  std::uint16_t bits_;
};

template <typename T>
inline constexpr bool kIsSmallFloat = false;
template <int kMantissa>
inline constexpr bool kIsSmallFloat<SmallFloat<kMantissa>> = true;

/// What `A op B` is where one is a SmallFloat: that type with itself and with
/// integers, the other one with float and double.
template <typename A, typename B>
struct Wider {};
template <int kM, typename B>
struct Wider<SmallFloat<kM>, B>
    : std::enable_if<
          std::is_arithmetic_v<B>,
          std::conditional_t<std::is_floating_point_v<B>, B, SmallFloat<kM>>> {
};
template <int kM, typename A>
struct Wider<A, SmallFloat<kM>> : Wider<SmallFloat<kM>, A> {};
template <int kM, int kN>
struct Wider<SmallFloat<kM>, SmallFloat<kN>>
    : std::enable_if<kM == kN, SmallFloat<kM>> {};

#define LANEDIFF_OPERATOR(OP)                                                \
  template <typename A, typename B, typename R = typename Wider<A, B>::type, \
            std::enable_if_t<kIsSmallFloat<A> || kIsSmallFloat<B>, int> = 0> \
  constexpr R operator OP(A a, B b) {                                        \
    using In = std::conditional_t<std::is_same_v<R, double>, double, float>; \
    return static_cast<R>(static_cast<In>(a) OP static_cast<In>(b));         \
  }
LANEDIFF_OPERATOR(+)
LANEDIFF_OPERATOR(-)
LANEDIFF_OPERATOR(*)
LANEDIFF_OPERATOR(/)
#undef LANEDIFF_OPERATOR

}  // namespace lanediff::front

#endif  // LANEDIFF_KERNEL_HALF_H

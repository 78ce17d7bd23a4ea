#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernel/carried/numbers.h"

/// What a lane becomes. Special values: Memory矢量计算接口边界值汇总.
namespace lanediff::kernel::carried {

/// −0 is: what LeakyRelu multiplies.
inline bool IsNegative(float value) { return std::signbit(value); }

/// A NaN stays one; max(+0, −0) = +0 in either order (ARITH-ZERO-SIGN).
inline float Larger(float a, float b) {
  const float larger = a > b ? a : b;
  const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) &
                                           std::bit_cast<std::uint32_t>(b));
  const float either = a == b ? equal : larger;
  return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : either;
}
inline float Smaller(float a, float b) {
  const float smaller = a < b ? a : b;
  const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) |
                                           std::bit_cast<std::uint32_t>(b));
  const float either = a == b ? equal : smaller;
  return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : either;
}
template <std::integral W>
W Larger(W a, W b) {
  return a > b ? a : b;
}
template <std::integral W>
W Smaller(W a, W b) {
  return a < b ? a : b;
}

struct AddOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return a + b;
  }
};
struct SubOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return a - b;
  }
};
struct MulOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return a * b;
  }
};
struct MaxOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return Larger(a, b);
  }
};
struct MinOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return Smaller(a, b);
  }
};
struct DivOf {
  template <class T, bool kSaturate>
  static float Do(float a, float b) {
    return a / b;
  }
};
struct AbsOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return std::fabs(a);
  }
};
struct NegOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a) {
    return -a;
  }
};
/// The larger one of it and 0; of −0 it is +0.
struct ReluOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a) {
    return Larger(a, W{0});
  }
};
struct AddReluOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return Larger(static_cast<W>(Node<T, kSaturate>(a + b)), W{0});
  }
};
struct SubReluOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b) {
    return Larger(static_cast<W>(Node<T, kSaturate>(a - b)), W{0});
  }
};
/// LeakyRelu, and Prelu with a slope for each lane. What is negative or −0 is
/// multiplied, so −0 · −1 is +0 and −0 · inf a NaN; a NaN is one either way.
struct LeakyOf {
  template <class T, bool kSaturate>
  static float Do(float a, float slope) {
    return IsNegative(a) ? a * slope : a;
  }
};
struct ExpOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return std::exp(a);
  }
};
struct LnOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return std::log(a);
  }
};
struct SqrtOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return std::sqrt(a);
  }
};
/// Of −0 it is −inf.
struct RsqrtOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return 1.0f / std::sqrt(a);
  }
};
struct ReciprocalOf {
  template <class T, bool kSaturate>
  static float Do(float a) {
    return 1.0f / a;
  }
};
/// dst = a · b + dst, in two nodes (表20, 表21).
struct MulAddDstOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b, W dst) {
    return static_cast<W>(Node<T, kSaturate>(a * b)) + dst;
  }
};
/// dst = src0 · dst + src1, likewise (表22).
struct FusedMulAddOf {
  template <class T, bool kSaturate, class W>
  static W Do(W a, W b, W dst) {
    return static_cast<W>(Node<T, kSaturate>(a * dst)) + b;
  }
};

// Bits: never out of T's range but where bits are to be lost.
struct AndOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a, W b) {
    return static_cast<T>(a & b);
  }
};
struct OrOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a, W b) {
    return static_cast<T>(a | b);
  }
};
struct NotOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a) {
    return static_cast<T>(~a);
  }
};
/// Signed types keep their sign, bits behind it are lost (ShiftLeft ·
/// 功能说明).
struct ShiftLeftOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a, W by) {
    using U = std::make_unsigned_t<T>;
    constexpr int kBits = std::numeric_limits<U>::digits;
    const U shifted = by >= kBits
                          ? U{0}
                          : static_cast<U>(static_cast<std::uint64_t>(a) << by);
    if constexpr (std::is_signed_v<T>) {
      constexpr U kSign = static_cast<U>(U{1} << (kBits - 1));
      return static_cast<T>(static_cast<U>((shifted & static_cast<U>(~kSign)) |
                                           (static_cast<U>(a) & kSign)));
    }
    return static_cast<T>(shifted);
  }
};
struct ShiftRightOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a, W by) {
    return static_cast<T>(static_cast<std::int64_t>(a) >> (by > 63 ? 63 : by));
  }
};
/// roundEn: what was shifted out last is added.
struct ShiftRightRoundedOf {
  template <class T, bool kSaturate, class W>
  static T Do(W a, W by) {
    const std::int64_t value = a;
    return static_cast<T>((value >> by) + (by > 0 ? value >> (by - 1) & 1 : 0));
  }
};

}  // namespace lanediff::kernel::carried

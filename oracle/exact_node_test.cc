#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/testing.h"

/// Nodes and conversions against what it means to be the nearest value, in
/// integers without any bound. Nothing here rounds: a result is held against
/// the middles between it and its neighbours.
namespace lanediff::oracle {
namespace {

using boost::multiprecision::cpp_int;
using test::Words;

constexpr int kRandomPairs = test::kSlowBuild ? 1 << 12 : 1 << 17;

/// The magnitudes of a type, one after the other as its patterns count up. The
/// last one is infinity's place, the power of two above the greatest value.
struct Magnitudes {
  int fraction_bits;
  std::uint64_t infinity;
  int quantum;  ///< the least one is 2^quantum

  std::uint64_t sign() const {
    return fraction_bits == 10 ? 0x8000 : 0x80000000;
  }
  /// In units of 2^unit, where unit <= quantum.
  cpp_int At(std::uint64_t pattern, int unit) const {
    const std::uint64_t exponent = pattern >> fraction_bits;
    const std::uint64_t one = std::uint64_t{1} << fraction_bits;
    cpp_int value = pattern % one;
    if (exponent > 0) value = (value + one) << (exponent - 1);
    return value << static_cast<unsigned>(quantum - unit);
  }
};

constexpr Magnitudes kHalf{
    .fraction_bits = 10, .infinity = 0x7c00, .quantum = -24};
constexpr Magnitudes kFloat{
    .fraction_bits = 23, .infinity = 0x7f800000, .quantum = -149};

const Magnitudes& Of(DType type) {
  return type == DType::kHalf ? kHalf : kFloat;
}

/// A number that nothing has rounded: ±magnitude · 2^unit.
struct Exact {
  bool negative = false;
  cpp_int magnitude;
  int unit = 0;
};

cpp_int SignedAt(const Magnitudes& m, std::uint64_t bits, int unit) {
  const cpp_int value = m.At(bits & ~m.sign(), unit);
  return (bits & m.sign()) != 0 ? cpp_int(-value) : value;
}

Exact Sum(const Magnitudes& m, std::uint64_t a, std::uint64_t b) {
  const cpp_int sum = SignedAt(m, a, m.quantum) + SignedAt(m, b, m.quantum);
  const bool both_negative = (a & b & m.sign()) != 0;
  return {.negative = sum < 0 || (sum == 0 && both_negative),
          .magnitude = abs(sum),
          .unit = m.quantum};
}

Exact Difference(const Magnitudes& m, std::uint64_t a, std::uint64_t b) {
  const cpp_int difference =
      SignedAt(m, a, m.quantum) - SignedAt(m, b, m.quantum);
  const bool minus_zero_less_zero = (a & ~b & m.sign()) != 0;
  return {
      .negative = difference < 0 || (difference == 0 && minus_zero_less_zero),
      .magnitude = abs(difference),
      .unit = m.quantum};
}

Exact Product(const Magnitudes& m, std::uint64_t a, std::uint64_t b) {
  return {.negative = ((a ^ b) & m.sign()) != 0,
          .magnitude =
              m.At(a & ~m.sign(), m.quantum) * m.At(b & ~m.sign(), m.quantum),
          .unit = 2 * m.quantum};
}

/// Whether `result` is the value of `m` that is nearest to `exact`, the even
/// one of two, with the right sign, and has the right flags.
testing::AssertionResult IsNearest(const Magnitudes& m, const Exact& exact,
                                   const NodeResult& result) {
  const std::uint64_t pattern = result.bits & ~m.sign();
  if (pattern > m.infinity) return testing::AssertionFailure() << "a NaN";
  if (((result.bits & m.sign()) != 0) != exact.negative) {
    return testing::AssertionFailure() << "the wrong sign";
  }
  const cpp_int here = m.At(pattern, exact.unit);
  const cpp_int twice = 2 * exact.magnitude;
  const bool infinite = pattern == m.infinity;
  const bool even = pattern % 2 == 0;
  bool tie = false;
  if (pattern > 0) {
    const cpp_int middle = m.At(pattern - 1, exact.unit) + here;
    tie |= twice == middle;
    if (twice < middle || (twice == middle && !even)) {
      return testing::AssertionFailure() << "too large";
    }
  }
  if (!infinite) {
    const cpp_int middle = here + m.At(pattern + 1, exact.unit);
    tie |= twice == middle;
    if (twice > middle || (twice == middle && !even)) {
      return testing::AssertionFailure() << "too small";
    }
  }
  const bool rounded = infinite || here != exact.magnitude;
  if (result.rounded != rounded) {
    return testing::AssertionFailure() << "rounded should be " << rounded;
  }
  if (result.tie != tie) {
    return testing::AssertionFailure() << "tie should be " << tie;
  }
  if (result.saturated) return testing::AssertionFailure() << "saturated";
  return testing::AssertionSuccess();
}

/// STATE-SATURATION: what becomes of a result that is no NaN.
NodeResult Saturated(DType type, NodeResult result) {
  if (type == DType::kHalf && (result.bits & 0x7fff) == kHalf.infinity) {
    --result.bits;
    result.saturated = true;
  }
  return result;
}

/// The smaller one, and −0 of two zeros.
std::uint64_t Smaller(const Magnitudes& m, std::uint64_t a, std::uint64_t b) {
  const cpp_int x = SignedAt(m, a, m.quantum);
  const cpp_int y = SignedAt(m, b, m.quantum);
  if (x == 0 && y == 0) return a | b;
  return x < y ? a : b;
}

/// The larger one, and +0 of two zeros but for two of −0.
std::uint64_t Larger(const Magnitudes& m, std::uint64_t a, std::uint64_t b) {
  const cpp_int x = SignedAt(m, a, m.quantum);
  const cpp_int y = SignedAt(m, b, m.quantum);
  if (x == 0 && y == 0) return a & b;
  return x > y ? a : b;
}

/// `a` and `b` are finite.
void CheckPair(DType type, std::uint64_t a, std::uint64_t b) {
  const Magnitudes& m = Of(type);
  const NodeResult sum = Add(type, a, b, false);
  const NodeResult difference = Subtract(type, a, b, false);
  const NodeResult product = Multiply(type, a, b, false);
  const NodeResult minimum = Minimum(type, a, b, false);
  const NodeResult maximum = Maximum(type, a, b, false);
  ASSERT_TRUE(IsNearest(m, Sum(m, a, b), sum))
      << std::hex << a << " + " << b << " gives " << sum.bits;
  ASSERT_TRUE(IsNearest(m, Difference(m, a, b), difference))
      << std::hex << a << " - " << b << " gives " << difference.bits;
  ASSERT_TRUE(IsNearest(m, Product(m, a, b), product))
      << std::hex << a << " * " << b << " gives " << product.bits;
  ASSERT_EQ(minimum, NodeResult{.bits = Smaller(m, a, b)})
      << std::hex << "min " << a << " " << b;
  ASSERT_EQ(maximum, NodeResult{.bits = Larger(m, a, b)})
      << std::hex << "max " << a << " " << b;
  ASSERT_EQ(Add(type, a, b, true), Saturated(type, sum));
  ASSERT_EQ(Multiply(type, a, b, true), Saturated(type, product));
  ASSERT_EQ(Subtract(type, a, b, true), Saturated(type, difference));
  ASSERT_EQ(Minimum(type, a, b, true), minimum);
  ASSERT_EQ(Maximum(type, a, b, true), maximum);
}

/// A finite value from random bits, all exponents alike.
std::uint64_t Finite(const Magnitudes& m, std::uint64_t word) {
  const std::uint64_t pattern = word % m.infinity;
  return (word >> 63) != 0 ? m.sign() | pattern : pattern;
}

void CheckRandom(DType type) {
  Words words;
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t a = Finite(Of(type), words.Next());
    ASSERT_NO_FATAL_FAILURE(CheckPair(type, a, Finite(Of(type), words.Next())));
  }
}

TEST(ExactNode, RandomHalves) { CheckRandom(DType::kHalf); }
TEST(ExactNode, RandomFloats) { CheckRandom(DType::kFloat); }

/// Exponents up to 40 apart, few bits set: carries, cancellation and ties.
TEST(ExactNode, FloatsOfSimilarSize) {
  Words words;
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    const std::uint64_t a = w & 0xbfffffff;  // exponents below 128
    const std::uint64_t exponent = (a >> 23 & 0xff) + w % 41;
    const std::uint64_t few = w >> 63 != 0 ? 0x7fffff : 0x700003;
    const std::uint64_t b =
        (w >> 62 & 1) << 31 | exponent << 23 | (w >> 32 & few);
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kFloat, a, b));
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kFloat, b, a));
  }
}

/// Every gap between two exponents, whatever width of integers it takes: the
/// lower term makes an upper one that is even, odd or all ones lose a bit, tie
/// or pass a tie by its last place.
void CheckEveryGap(DType type) {
  const Magnitudes& m = Of(type);
  const std::uint64_t one = std::uint64_t{1} << m.fraction_bits;
  const std::array<std::uint64_t, 4> fractions = {0, 1, one / 2, one - 1};
  const std::uint64_t top = (m.infinity >> m.fraction_bits) - 1;
  for (std::uint64_t low = 0; low <= top; ++low) {
    for (const std::uint64_t high : {top, top / 2, low + 1, low}) {
      if (high < low || high > top) continue;
      for (const std::uint64_t f : fractions) {
        for (const std::uint64_t g : fractions) {
          const std::uint64_t a = high * one + f;
          const std::uint64_t b = low * one + g;
          ASSERT_NO_FATAL_FAILURE(CheckPair(type, a, b));
          ASSERT_NO_FATAL_FAILURE(CheckPair(type, m.sign() | b, a));
        }
      }
    }
  }
}

TEST(ExactNode, EveryGapOfHalves) { CheckEveryGap(DType::kHalf); }
TEST(ExactNode, EveryGapOfFloats) { CheckEveryGap(DType::kFloat); }

/// Half a place added to each kind of value is a tie; its neighbours below and
/// above are none. Subnormals have no half place, but products reach one.
void CheckTies(DType type) {
  const Magnitudes& m = Of(type);
  const std::uint64_t one = std::uint64_t{1} << m.fraction_bits;
  const auto fraction_bits = static_cast<std::uint64_t>(m.fraction_bits);
  Words words;
  for (std::uint64_t e = fraction_bits + 2; e < m.infinity >> m.fraction_bits;
       ++e) {
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t value = e * one + words.Next() % one;
      const std::uint64_t half_place = (e - fraction_bits - 1) * one;
      for (const std::uint64_t b :
           {half_place - 1, half_place, half_place + 1}) {
        ASSERT_NO_FATAL_FAILURE(CheckPair(type, value, b));
        ASSERT_NO_FATAL_FAILURE(CheckPair(type, value, m.sign() | b));
      }
    }
  }
  for (std::uint64_t subnormal = 0; subnormal < 64; ++subnormal) {
    const std::uint64_t bias = (m.infinity >> m.fraction_bits) / 2;
    for (std::uint64_t e = bias - 8; e <= bias + 1; ++e) {
      for (const std::uint64_t f : {std::uint64_t{0}, one / 2, one - 1}) {
        ASSERT_NO_FATAL_FAILURE(CheckPair(type, subnormal, e * one + f));
      }
    }
  }
}

TEST(ExactNode, TiesOfHalves) { CheckTies(DType::kHalf); }
TEST(ExactNode, TiesOfFloats) { CheckTies(DType::kFloat); }

/// Both sides of the middle between the greatest value and infinity.
TEST(ExactNode, Overflow) {
  for (const DType type : {DType::kHalf, DType::kFloat}) {
    const Magnitudes& m = Of(type);
    const std::uint64_t one = std::uint64_t{1} << m.fraction_bits;
    const std::uint64_t top = (m.infinity >> m.fraction_bits) - 1;
    const auto places = static_cast<std::uint64_t>(m.fraction_bits);
    for (std::uint64_t e = top - places - 3; e <= top; ++e) {
      for (const std::uint64_t f :
           {std::uint64_t{0}, std::uint64_t{1}, one - 1}) {
        for (std::uint64_t a = m.infinity - 3; a < m.infinity; ++a) {
          ASSERT_NO_FATAL_FAILURE(CheckPair(type, a, e * one + f));
          ASSERT_NO_FATAL_FAILURE(
              CheckPair(type, m.sign() | a, m.sign() | (e * one + f)));
        }
      }
    }
  }
}

// ---- Special values ---------------------------------------------------------

/// Of halves corpus/*/values-special-half-*.json has them.
TEST(ExactNode, SpecialFloatsAreThoseOfTheProcessor) {
  const auto bits_of = [](float value) {
    return std::isnan(value) ? 0x7fc00000U
                             : std::bit_cast<std::uint32_t>(value);
  };
  const std::uint32_t values[] = {0x00000000, 0x00000001, 0x007fffff,
                                  0x00800000, 0x3f800000, 0x7f7fffff,
                                  0x7f800000, 0x7f800001, 0x7fffffff};
  for (const std::uint32_t left : values) {
    for (const std::uint32_t right : values) {
      for (std::uint32_t signs = 0; signs < 4; ++signs) {
        const std::uint32_t a = left | signs << 31;
        const std::uint32_t b = right | (signs >> 1) << 31;
        const auto x = std::bit_cast<float>(a);
        const auto y = std::bit_cast<float>(b);
        const auto of = [&](auto node) {
          return node(DType::kFloat, a, b, true).bits;
        };
        EXPECT_EQ(of(Add), bits_of(x + y)) << std::hex << a << " + " << b;
        EXPECT_EQ(of(Subtract), bits_of(x - y)) << std::hex << a << " - " << b;
        EXPECT_EQ(of(Multiply), bits_of(x * y)) << std::hex << a << " * " << b;
        if (!std::isnan(x) && !std::isnan(y)) continue;
        EXPECT_EQ(of(Minimum), 0x7fc00000U) << std::hex << a << " " << b;
        EXPECT_EQ(of(Maximum), 0x7fc00000U) << std::hex << a << " " << b;
      }
    }
  }
}

// ---- Conversions ------------------------------------------------------------

Exact ValueOf(const Magnitudes& m, std::uint64_t bits) {
  return {.negative = (bits & m.sign()) != 0,
          .magnitude = m.At(bits & ~m.sign(), kFloat.quantum),
          .unit = kFloat.quantum};
}

TEST(ExactConversion, EveryHalfHasItsFloat) {
  for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
    if ((bits & 0x7fff) >= kHalf.infinity) continue;
    const NodeResult wide = Convert(DType::kHalf, DType::kFloat, bits);
    ASSERT_TRUE(IsNearest(kFloat, ValueOf(kHalf, bits), wide)) << bits;
    ASSERT_FALSE(wide.rounded);
    ASSERT_EQ(Convert(DType::kFloat, DType::kHalf, wide.bits),
              NodeResult{.bits = bits});
  }
}

TEST(ExactConversion, FloatsGoToTheNearestHalf) {
  Words words;
  const auto check = [](std::uint64_t bits) {
    ASSERT_TRUE(IsNearest(kHalf, ValueOf(kFloat, bits),
                          Convert(DType::kFloat, DType::kHalf, bits)))
        << std::hex << bits;
  };
  for (int i = 0; i < kRandomPairs; ++i) {
    const std::uint64_t w = words.Next();
    ASSERT_NO_FATAL_FAILURE(check(Finite(kFloat, w)));
    // Between two halves, the place behind a half's last one set or not.
    const std::uint64_t exponent = 100 + w % 45;
    const std::uint64_t fraction = (w >> 32 & 0x7ff) << 12 | (w >> 44 & 1);
    ASSERT_NO_FATAL_FAILURE(check(exponent << 23 | fraction));
  }
}

TEST(ExactConversion, InfinitiesAndNans) {
  const auto narrow = [](std::uint64_t bits) {
    return Convert(DType::kFloat, DType::kHalf, bits);
  };
  const auto widen = [](std::uint64_t bits) {
    return Convert(DType::kHalf, DType::kFloat, bits);
  };
  EXPECT_EQ(narrow(0x7f800000), NodeResult{.bits = 0x7c00});
  EXPECT_EQ(narrow(0xff800000), NodeResult{.bits = 0xfc00});
  EXPECT_EQ(narrow(0xff812345), NodeResult{.bits = 0x7e00});
  EXPECT_EQ(widen(0x7c00), NodeResult{.bits = 0x7f800000});
  EXPECT_EQ(widen(0xfc00), NodeResult{.bits = 0xff800000});
  EXPECT_EQ(widen(0xfd01), NodeResult{.bits = 0x7fc00000});
}

}  // namespace
}  // namespace lanediff::oracle

#include "oracle/node.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>

#include "isa/vocabulary.h"
#include "oracle/testing.h"

/// Nodes by single values, and integer nodes against the machine's own
/// integers, whose overflow the compiler's checked operations detect. The
/// others are compared with what is nearest by definition, and floats with the
/// processor, in exact_node_test.cc.
namespace lanediff::oracle {
namespace {

using test::Words;

TEST(Write, SaturatesHalfAloneAndKeepsNanBits) {
  EXPECT_EQ(Write(DType::kHalf, 0x7c00, true),
            (NodeResult{.bits = 0x7bff, .saturated = true}));
  EXPECT_EQ(Write(DType::kHalf, 0xfc00, true),
            (NodeResult{.bits = 0xfbff, .saturated = true}));
  EXPECT_EQ(Write(DType::kHalf, 0xfd01, true),
            (NodeResult{.bits = 0, .saturated = true}));
  EXPECT_EQ(Write(DType::kHalf, 0xfd01, false), NodeResult{.bits = 0xfd01});
  EXPECT_EQ(Write(DType::kHalf, 0x8000, true), NodeResult{.bits = 0x8000});
  EXPECT_EQ(Write(DType::kFloat, 0x7f812345, true),
            NodeResult{.bits = 0x7f812345});
  EXPECT_EQ(Write(DType::kInt32, 0x7f800000, true),
            NodeResult{.bits = 0x7f800000});
}

TEST(Exact, Decimals) {
  EXPECT_EQ(ExactAdd(DType::kHalf, 0xf753, 0x5640), "-29900");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x7bff, 0x7bff), "131008");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x0001, 0), "0.000000059604644775390625");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x3e00, 0xbc00), "0.5");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x8000, 0x8000), "0");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x7c00, 0x3c00), "inf");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0xbc00, 0xfc00), "-inf");
  EXPECT_EQ(ExactAdd(DType::kHalf, 0x7c00, 0xfc00), "nan");
  EXPECT_EQ(ExactMultiply(DType::kHalf, 0x7c00, 0x0000), "nan");
  EXPECT_EQ(ExactMultiply(DType::kHalf, 0x7c00, 0xbc00), "-inf");
  EXPECT_EQ(ExactMultiply(DType::kHalf, 0xbe00, 0x3e00), "-2.25");
  EXPECT_EQ(ExactMultiply(DType::kHalf, 0x7e01, 0x3e00), "nan");
  EXPECT_EQ(ExactAdd(DType::kFloat, 0x7f7fffff, 0x7f7fffff),
            "680564693277057719623408366969033850880");
}

/// glibc prints doubles exactly, and products of floats are exact in double.
TEST(Exact, ProductsAsTheLibraryPrintsThem) {
  Words words;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t w = words.Next();
    const auto a = static_cast<std::uint32_t>(w) & 0xbfffffff;
    const auto b = static_cast<std::uint32_t>(w >> 32) & 0xbfffffff;
    const double exact = static_cast<double>(std::bit_cast<float>(a)) *
                         static_cast<double>(std::bit_cast<float>(b));
    char decimal[512];
    std::snprintf(decimal, sizeof decimal, "%.320f", exact);
    std::string expected = decimal;
    expected.erase(expected.find_last_not_of('0') + 1);
    if (expected.back() == '.') expected.pop_back();
    ASSERT_EQ(ExactMultiply(DType::kFloat, a, b), expected);
  }
}

/// What a checked operation gave: its low bits, and whether it overflowed
/// downwards or upwards.
template <class T>
NodeResult Expected(T low_bits, bool overflow, bool below, bool saturation) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::make_unsigned_t<T>;
  T value = low_bits;
  if (overflow && saturation) value = below ? Limits::min() : Limits::max();
  return {.bits = static_cast<Bits>(value),
          .saturated = overflow && saturation,
          .wrapped = overflow && !saturation};
}

template <class T>
void CheckPair(DType type, T a, T b) {
  using Bits = std::make_unsigned_t<T>;
  const std::uint64_t left = static_cast<Bits>(a);
  const std::uint64_t right = static_cast<Bits>(b);
  for (bool saturation : {true, false}) {
    T low = 0;
    bool overflow = __builtin_add_overflow(a, b, &low);
    ASSERT_EQ(Add(type, left, right, saturation),
              Expected(low, overflow, a < 0, saturation))
        << a << " + " << b;
    overflow = __builtin_sub_overflow(a, b, &low);
    ASSERT_EQ(Subtract(type, left, right, saturation),
              Expected(low, overflow, a < 0, saturation))
        << a << " - " << b;
    overflow = __builtin_mul_overflow(a, b, &low);
    ASSERT_EQ(Multiply(type, left, right, saturation),
              Expected(low, overflow, (a < 0) != (b < 0), saturation))
        << a << " * " << b;
    ASSERT_EQ(Minimum(type, left, right, saturation),
              NodeResult{.bits = a < b ? left : right});
    ASSERT_EQ(Maximum(type, left, right, saturation),
              NodeResult{.bits = a > b ? left : right});
  }
}

template <class T>
void CheckBoundaries(DType type) {
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kGreatest = std::numeric_limits<T>::max();
  // 2^7.5 and 2^15.5: products on both sides of the ends.
  constexpr auto kRoot = static_cast<T>(sizeof(T) == 2 ? 181 : 46340);
  const T values[] = {kLeast,
                      T(kLeast + 1),
                      T(kLeast / 2 - 1),
                      T(kLeast / 2),
                      T(-kRoot - 1),
                      T(-kRoot),
                      -2,
                      -1,
                      0,
                      1,
                      2,
                      kRoot,
                      T(kRoot + 1),
                      T(kGreatest / 2),
                      T(kGreatest / 2 + 1),
                      T(kGreatest - 1),
                      kGreatest};
  for (T a : values) {
    for (T b : values) ASSERT_NO_FATAL_FAILURE(CheckPair(type, a, b));
  }
}

TEST(IntegerNode, BoundaryPairs) {
  CheckBoundaries<std::int16_t>(DType::kInt16);
  CheckBoundaries<std::int32_t>(DType::kInt32);
}

TEST(IntegerNode, RandomPairs) {
  constexpr int kPairs = test::kSlowBuild ? 1 << 14 : 1 << 20;
  Words words;
  for (int i = 0; i < kPairs; ++i) {
    const std::uint64_t w = words.Next();
    const auto a = static_cast<std::int32_t>(w);
    const auto b = static_cast<std::int32_t>(w >> 32);
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kInt32, a, b));
    // Of all sizes, so that many products fit.
    const auto shift = static_cast<int>(w % 31);
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kInt32, a >> shift, b >> 10));
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kInt16,
                                      static_cast<std::int16_t>(w),
                                      static_cast<std::int16_t>(w >> 16)));
    ASSERT_NO_FATAL_FAILURE(CheckPair(DType::kInt16,
                                      static_cast<std::int16_t>(a >> 24),
                                      static_cast<std::int16_t>(b >> 20)));
  }
}

TEST(IntegerNode, ExactValuesHaveAllDigits) {
  const auto exact = [](auto text, std::uint64_t left, std::uint64_t right) {
    return text(DType::kInt32, left, right);
  };
  constexpr std::uint64_t kLeast = 0x80000000;
  constexpr std::uint64_t kGreatest = 0x7fffffff;
  EXPECT_EQ(exact(ExactAdd, kLeast, kLeast), "-4294967296");
  EXPECT_EQ(exact(ExactSubtract, kLeast, kGreatest), "-4294967295");
  EXPECT_EQ(exact(ExactMultiply, kLeast, kLeast), "4611686018427387904");
  EXPECT_EQ(exact(ExactMultiply, kLeast, kGreatest), "-4611686016279904256");
  EXPECT_EQ(exact(ExactMinimum, kLeast, kGreatest), "-2147483648");
  EXPECT_EQ(exact(ExactMaximum, kLeast, kGreatest), "2147483647");
  EXPECT_EQ(ExactMultiply(DType::kInt16, 0x8000, 0x8000), "1073741824");
  EXPECT_EQ(ExactSubtract(DType::kInt16, 0x8000, 0x7fff), "-65535");
}

/// Bits by the arithmetic of two's complement.
TEST(BitNode, OrAndNot) {
  Words words;
  for (std::uint64_t left = 0; left <= 0xffff; ++left) {
    const std::uint64_t right = words.Next() & 0xffff;
    const auto value = static_cast<std::int16_t>(left);
    for (const DType type : {DType::kInt16, DType::kUint16}) {
      const NodeResult both = And(type, left, right, true);
      const NodeResult either{.bits = left + right - both.bits};
      ASSERT_EQ(Or(type, left, right, true), either) << left << " " << right;
      ASSERT_EQ(Or(type, left, right, false), either);
      ASSERT_EQ(Not(type, left, true), NodeResult{.bits = 0xffff - left});
      ASSERT_EQ(Not(type, left, false), NodeResult{.bits = 0xffff - left});
    }
    ASSERT_EQ(ExactNot(DType::kInt16, left), std::to_string(-1 - value));
    ASSERT_EQ(ExactNot(DType::kUint16, left), std::to_string(0xffff - left));
  }
  EXPECT_EQ(ExactOr(DType::kInt16, 0x8000, 0x0001), "-32767");
  EXPECT_EQ(ExactOr(DType::kUint16, 0x8000, 0x0001), "32769");
}

/// Table 8 of the results at limits, with the signs and payloads of NaNs, the
/// ends of subnormals and, of integers, 0 and -1 besides.
TEST(Relu, AsPublished) {
  struct Row {
    DType type;
    std::uint64_t bits;
    NodeResult off;
    NodeResult on;
    const char* exact;
  };
  constexpr NodeResult kZeroOfNan{.bits = 0, .saturated = true};
  constexpr NodeResult kEnd{.bits = 0x7bff, .saturated = true};
  const auto same = [](DType type, std::uint64_t bits, const char* exact) {
    return Row{type, bits, {.bits = bits}, {.bits = bits}, exact};
  };
  const auto zero = [](DType type, std::uint64_t bits) {
    return Row{type, bits, {}, {}, "0"};
  };
  const NodeResult half_nan{.bits = 0x7e00};
  const NodeResult float_nan{.bits = 0x7fc00000};
  const Row rows[] = {
      zero(DType::kHalf, 0xfbff),
      same(DType::kHalf, 0x7bff, "65504"),
      zero(DType::kHalf, 0),
      zero(DType::kHalf, 0x8000),
      {DType::kHalf, 0x7e00, half_nan, kZeroOfNan, "nan"},
      {DType::kHalf, 0xfd01, half_nan, kZeroOfNan, "nan"},
      {DType::kHalf, 0x7c00, {.bits = 0x7c00}, kEnd, "inf"},
      zero(DType::kHalf, 0xfc00),
      same(DType::kHalf, 0x0001, "0.000000059604644775390625"),
      zero(DType::kHalf, 0x8001),
      zero(DType::kFloat, 0xff7fffff),
      same(DType::kFloat, 0x7f7fffff,
           "340282346638528859811704183484516925440"),
      zero(DType::kFloat, 0),
      zero(DType::kFloat, 0x80000000),
      {DType::kFloat, 0x7fc00000, float_nan, float_nan, "nan"},
      {DType::kFloat, 0xff812345, float_nan, float_nan, "nan"},
      same(DType::kFloat, 0x7f800000, "inf"),
      zero(DType::kFloat, 0xff800000),
      zero(DType::kFloat, 0x80000001),
      zero(DType::kInt32, 0x80000000),
      same(DType::kInt32, 0x7fffffff, "2147483647"),
      zero(DType::kInt32, 0xffffffff),
      zero(DType::kInt32, 0),
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    EXPECT_EQ(Relu(row.type, row.bits, false), row.off);
    EXPECT_EQ(Relu(row.type, row.bits, true), row.on);
    EXPECT_EQ(ExactRelu(row.type, row.bits), row.exact);
  }
}

/// Every half: what has the sign becomes +0, all else stays.
TEST(Relu, KeepsEachHalfThatIsNotBelowZero) {
  for (std::uint64_t bits = 0; bits < 0x7c00; ++bits) {
    ASSERT_EQ(Relu(DType::kHalf, bits, true), NodeResult{.bits = bits});
    ASSERT_EQ(Relu(DType::kHalf, bits | 0x8000, true), NodeResult{.bits = 0});
  }
}

/// Table 19 of the results at limits, for slopes of −65504, 65504, +0, −0, NaN,
/// +inf and −inf. −65504 by ±inf has the sign of the product: the table has the
/// two results of saturation mode the wrong way round.
TEST(LeakyRelu, AsPublished) {
  constexpr std::uint64_t kSlopes[] = {0xfbff, 0x7bff, 0,     0x8000,
                                       0x7e00, 0x7c00, 0xfc00};
  struct Row {
    std::uint64_t bits;
    std::uint64_t results[7];  ///< with the mode off
  };
  const Row rows[] = {
      {0xfbff, {0x7c00, 0xfc00, 0x8000, 0, 0x7e00, 0xfc00, 0x7c00}},
      {0x7bff, {0x7bff, 0x7bff, 0x7bff, 0x7bff, 0x7bff, 0x7bff, 0x7bff}},
      {0, {0, 0, 0, 0, 0, 0, 0}},
      {0x8000, {0, 0x8000, 0x8000, 0, 0x7e00, 0x7e00, 0x7e00}},
      {0x7e00, {0x7e00, 0x7e00, 0x7e00, 0x7e00, 0x7e00, 0x7e00, 0x7e00}},
      {0x7c00, {0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00}},
      {0xfc00, {0x7c00, 0xfc00, 0x7e00, 0x7e00, 0x7e00, 0xfc00, 0x7c00}},
  };
  // The classes of half are those of float.
  const auto as_float = [](std::uint64_t bits) {
    const std::uint64_t sign = (bits & 0x8000) << 16;
    const std::uint64_t magnitude = bits & 0x7fff;
    return sign | (magnitude == 0x7bff
                       ? 0x7f7fffff
                       : Convert(DType::kHalf, DType::kFloat, magnitude).bits);
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < std::size(kSlopes); ++i) {
      SCOPED_TRACE(testing::Message() << std::hex << row.bits << " " << i);
      const std::uint64_t slope = kSlopes[i];
      const std::uint64_t result = row.results[i];
      EXPECT_EQ(LeakyRelu(DType::kHalf, row.bits, slope, false).bits, result);
      EXPECT_EQ(LeakyRelu(DType::kHalf, row.bits, slope, true).bits,
                Write(DType::kHalf, result, true).bits);
      for (const bool saturation : {false, true}) {
        EXPECT_EQ(LeakyRelu(DType::kFloat, as_float(row.bits), as_float(slope),
                            saturation)
                      .bits,
                  as_float(result));
      }
    }
  }
}

/// One rounding of the product, the value itself where nothing is multiplied.
TEST(LeakyRelu, RoundsTheProductOnce) {
  EXPECT_EQ(LeakyRelu(DType::kHalf, 0xdc7c, 0x1419, true),  // -287 · 0.001
            (NodeResult{.bits = 0xb498, .rounded = true}));
  EXPECT_EQ(ExactLeakyRelu(DType::kHalf, 0xbe00, 0x3e00), "-2.25");
  EXPECT_EQ(ExactLeakyRelu(DType::kHalf, 0x3e00, 0x7e00), "1.5");
  EXPECT_EQ(ExactLeakyRelu(DType::kHalf, 0x8000, 0x7c00), "nan");
  EXPECT_EQ(LeakyRelu(DType::kHalf, 0x8001, 0x3800, true),
            (NodeResult{.bits = 0x8000, .rounded = true, .tie = true}));
}

/// Tables 24 and 25, and of int16 what the sum and the difference become first.
TEST(SumRelu, AsPublished) {
  struct Row {
    DType type;
    std::uint64_t left, right;
    NodeResult off, on;
    const char* exact;
  };
  constexpr DType kHalf = DType::kHalf;
  constexpr DType kInt16 = DType::kInt16;
  constexpr NodeResult kZero;
  constexpr NodeResult kZeroOfNan{.saturated = true};
  constexpr NodeResult kNan{.bits = 0x7e00};
  constexpr NodeResult kInf{.bits = 0x7c00};
  constexpr NodeResult kEnd{.bits = 0x7bff, .saturated = true};
  constexpr NodeResult kTooLarge{.bits = 0x7c00, .rounded = true};
  constexpr NodeResult kKept{
      .bits = 0x7bff, .rounded = true, .saturated = true};
  const Row rows[] = {
      {kHalf, 0, 0, kZero, kZero, "0"},
      {kHalf, 0, 0x8000, kZero, kZero, "0"},
      {kHalf, 0x8000, 0x8000, kZero, kZero, "0"},
      {kHalf, 0x7c00, 0x7c00, kInf, kEnd, "inf"},
      {kHalf, 0x7c00, 0xfbff, kInf, kEnd, "inf"},
      {kHalf, 0x8000, 0x7c00, kInf, kEnd, "inf"},
      {kHalf, 0x7bff, 0x7bff, kTooLarge, kKept, "131008"},
      {kHalf, 0xfc00, 0x7bff, kZero, kZero, "0"},
      {kHalf, 0, 0xfc00, kZero, kZero, "0"},
      {kHalf, 0xfbff, 0xfbff, kZero, kZero, "0"},
      {kHalf, 0x7bff, 0, {.bits = 0x7bff}, {.bits = 0x7bff}, "65504"},
      {kHalf, 0x8000, 0xfbff, kZero, kZero, "0"},
      {kHalf, 0xfe01, 0xfc00, kNan, kZeroOfNan, "nan"},
      {kHalf, 0x7c00, 0xfc00, kNan, kZeroOfNan, "nan"},
      {kHalf, 0xe801, 0x0001, kZero, kZero, "0"},  // below zero, not rounded
      {kInt16,
       0x7fff,
       1,
       {.wrapped = true},
       {.bits = 0x7fff, .saturated = true},
       "32768"},
      {kInt16, 0x8000, 0xffff, {.bits = 0x7fff, .wrapped = true}, kZero, "0"},
      {kInt16, 0xffff, 0xffff, kZero, kZero, "0"},
      {kInt16, 5, 6, {.bits = 11}, {.bits = 11}, "11"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(&row - rows);
    const auto negative =
        row.type == kHalf ? row.right ^ 0x8000 : -row.right & 0xffff;
    EXPECT_EQ(AddRelu(row.type, row.left, row.right, false), row.off);
    EXPECT_EQ(AddRelu(row.type, row.left, row.right, true), row.on);
    EXPECT_EQ(ExactAddRelu(row.type, row.left, row.right), row.exact);
    EXPECT_EQ(SubRelu(row.type, row.left, negative, false), row.off);
    EXPECT_EQ(SubRelu(row.type, row.left, negative, true), row.on);
    EXPECT_EQ(ExactSubRelu(row.type, row.left, negative), row.exact);
  }
}

}  // namespace
}  // namespace lanediff::oracle

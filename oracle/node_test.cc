#include "oracle/node.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

#include "isa/vocabulary.h"
#include "oracle/testing.h"

/// Nodes by single values. node_hardware_test.cc compares them with the
/// processor.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Words;

TEST(Half, SaturationOnAndOff) {
  constexpr std::uint64_t k60000 = 0x7b53;
  constexpr std::uint64_t kInf = 0x7c00;
  constexpr std::uint64_t kMinusInf = 0xfc00;
  EXPECT_EQ(Add(DType::kHalf, k60000, k60000, true),
            (NodeResult{.bits = 0x7bff, .rounded = true, .saturated = true}));
  EXPECT_EQ(Add(DType::kHalf, k60000, k60000, false),
            (NodeResult{.bits = kInf, .rounded = true}));
  EXPECT_EQ(Add(DType::kHalf, 0xfb53, 0xfb53, true).bits, 0xfbff);
  EXPECT_EQ(Add(DType::kHalf, 0xfb53, 0xfb53, false).bits, kMinusInf);
  EXPECT_EQ(Add(DType::kHalf, kInf, 0x3c00, true),
            (NodeResult{.bits = 0x7bff, .saturated = true}));
  EXPECT_EQ(Add(DType::kHalf, kInf, kMinusInf, true),
            (NodeResult{.bits = 0, .saturated = true}));
  EXPECT_EQ(Add(DType::kHalf, kInf, kMinusInf, false),
            NodeResult{.bits = 0x7e00});
  EXPECT_EQ(Multiply(DType::kHalf, kInf, 0x8000, true),
            (NodeResult{.bits = 0, .saturated = true}));
  EXPECT_EQ(Multiply(DType::kHalf, kInf, 0x8000, false),
            NodeResult{.bits = 0x7e00});
  EXPECT_EQ(Multiply(DType::kHalf, k60000, 0xfb53, true).bits, 0xfbff);
}

TEST(Half, NanInGivesTheCanonicalNan) {
  EXPECT_EQ(Add(DType::kHalf, 0xfd01, 0x3c00, false).bits, 0x7e00);
  EXPECT_EQ(Multiply(DType::kHalf, 0x3c00, 0x7fff, false).bits, 0x7e00);
  EXPECT_EQ(Add(DType::kFloat, 0xff812345, 0, false).bits, 0x7fc00000);
}

TEST(Half, SignsOfZero) {
  constexpr std::uint64_t kMinusZero = 0x8000;
  EXPECT_EQ(Add(DType::kHalf, kMinusZero, kMinusZero, true).bits, kMinusZero);
  EXPECT_EQ(Add(DType::kHalf, kMinusZero, 0, true).bits, 0);
  EXPECT_EQ(Add(DType::kHalf, 0, kMinusZero, true).bits, 0);
  EXPECT_EQ(Add(DType::kHalf, 0xbc00, 0x3c00, true).bits, 0);
  EXPECT_EQ(Multiply(DType::kHalf, kMinusZero, 0x3c00, true).bits, kMinusZero);
  EXPECT_EQ(Multiply(DType::kHalf, 0x8001, 0x0001, true),
            (NodeResult{.bits = kMinusZero, .rounded = true}));
}

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

TEST(Float, SaturationModeDoesNotConcernFloat) {
  const std::uint64_t greatest = 0x7f7fffff;
  const NodeResult infinity{.bits = 0x7f800000, .rounded = true};
  EXPECT_EQ(Add(DType::kFloat, greatest, greatest, true), infinity);
  EXPECT_EQ(Add(DType::kFloat, 0x7f800000, 0xff800000, true),
            NodeResult{.bits = 0x7fc00000});
  EXPECT_EQ(Write(DType::kFloat, 0x7f800000, true),
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

}  // namespace
}  // namespace lanediff::oracle

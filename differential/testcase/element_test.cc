#include "differential/testcase/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace lanediff {
namespace {

using enum isa::DType;

struct NumberRow {
  isa::DType type;
  std::string number;
  std::uint64_t bits;
};

TEST(ElementFromNumber, RoundsOnceToNearestEven) {
  const std::string zeros(100'000, '0');
  const std::string nines(100'000, '9');
  const std::string tiny(60, '0');  // far below a double's last place
  const std::vector<NumberRow> rows = {
      {kHalf, "2049." + tiny + "1", 0x6801},
      {kHalf, "-2049." + tiny + "1", 0xe801},
      {kHalf, "20490000000000000000001e-19", 0x6801},
      {kHalf, "65519.99", 0x7bff},
      {kHalf, "65519.9999999999999999999999", 0x7bff},
      {kHalf, "-65519.9999999999999999999999", 0xfbff},
      {kHalf, "-2.98023223876953125e-8", 0x8000},
      {kHalf, "2049." + zeros, 0x6800},
      {kHalf, "2049." + zeros + "1", 0x6801},
      {kHalf, "-2049." + zeros + "1", 0xe801},
      {kHalf, "2048." + nines, 0x6800},
      {kHalf, "2050." + nines, 0x6801},
      {kHalf, "1e-9223372036854775808", 0},
      {kFloat, "-1e-99999999999999999999", 0x80000000},
      {kDouble, "0e99999999999999999999", 0},
      {kHalf, "1e-400", 0},
      {kHalf, "-1e-400", 0x8000},
      {kBfloat16, "1.00390625", 0x3f80},  // 1 + 2^-8, tie
      {kBfloat16, "1.0039062500000000000000001", 0x3f81},
      {kBfloat16, "1.01171875", 0x3f82},
      {kBfloat16, "1.0117187499999999999999999", 0x3f81},
      {kBfloat16, "3.3895e38", 0x7f7f},
      {kFloat, "16777217", 0x4b800000},  // 2^24 + 1, tie
      {kFloat, "16777217.0000000000000000001", 0x4b800001},
      {kFloat, "16777219", 0x4b800002},
      {kFloat, "16777218.9999999999999999999", 0x4b800001},
      {kFloat, "0.1", 0x3dcccccd},
      {kFloat, "3.4028235677973366e38", 0x7f7fffff},
      {kFloat, "7.006492321624085e-46", 0},  // just below 2^-150
      {kFloat, "7.006492321624086e-46", 1},
      {kFloat, "1e-45", 1},
      {kDouble, "9007199254740993", 0x4340000000000000},  // 2^53 + 1, tie
      {kDouble, "9007199254740993.0000000001", 0x4340000000000001},
      {kDouble, "4.9e-324", 1},
      {kDouble, "-0.0", 0x8000000000000000},
      {kHalf, "-0", 0x8000},
      {kHalf, "0e99999", 0},
  };
  for (const NumberRow& row : rows) {
    const auto bits = ElementFromNumber(row.type, row.number);
    ASSERT_TRUE(bits) << bits.error();
    EXPECT_EQ(*bits, row.bits)
        << isa::Name(row.type) << " " << row.number.substr(0, 100);
  }
}

TEST(ElementFromNumber, OverflowIsAnErrorFromTheTieOn) {
  for (const auto& [type, number] :
       std::vector<std::pair<isa::DType, std::string>>{
           {kHalf, "65520"},
           {kHalf, "-65520.0"},
           {kHalf, "1e400"},
           {kHalf, "65520.0000000000000000000001"},
           {kBfloat16, "3.3961775292304601e38"},
           {kFloat, "3.4028235677973367e38"},
           {kDouble, "1.8e308"}}) {
    const auto bits = ElementFromNumber(type, number);
    ASSERT_FALSE(bits) << number;
    EXPECT_NE(bits.error().find("overflows"), std::string::npos);
  }
}

TEST(ElementFromNumber, AnyExponentIsRead) {
  EXPECT_FALSE(ElementFromNumber(kDouble, "1e9223372036854775807"));
  EXPECT_FALSE(ElementFromNumber(kInt8, "1e-9223372036854775808"));
}

/// Every neighbouring pair of positive halves: their exact middle goes to the
/// even one, and a little to either side to the nearer one.
TEST(ElementFromNumber, HalfwayBetweenAllHalves) {
  for (std::uint64_t bits = 0; bits < 0x7bff; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const auto unit = std::ldexp(1.0, exponent == 0 ? -24 : exponent - 25);
    const auto significand =
        static_cast<double>((bits & 0x3ff) + (exponent == 0 ? 0u : 0x400u));
    const double middle = (significand + 0.5) * unit;
    std::string digits(128, '\0');
    digits.resize(static_cast<std::size_t>(
        std::snprintf(digits.data(), digits.size(), "%.40f", middle)));
    ASSERT_EQ(*ElementFromNumber(kHalf, digits), bits + (bits & 1)) << digits;
    ASSERT_EQ(*ElementFromNumber(kHalf, digits + "0000000001"), bits + 1);
    // The last digit one less and nines behind it: nearer than a double can
    // express.
    std::string below = digits;
    const auto last = below.find_last_not_of("0.");
    --below[last];
    for (std::size_t i = last + 1; i < below.size(); ++i) {
      if (below[i] == '0') below[i] = '9';
    }
    below += std::string(20, '9');
    ASSERT_EQ(*ElementFromNumber(kHalf, below), bits) << below;
  }
}

std::uint64_t ReadBack(isa::DType type, std::uint64_t bits) {
  const ElementText text = ElementToText(type, bits);
  const auto back = text.quoted ? ElementFromString(type, text.text)
                                : ElementFromNumber(type, text.text);
  EXPECT_TRUE(back) << text.text;
  return back.value_or(~bits);
}

TEST(ElementToText, ReadsBackAsTheSameBits) {
  for (isa::DType type : {kHalf, kBfloat16, kInt16, kUint16}) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      ASSERT_EQ(ReadBack(type, bits), bits) << isa::Name(type);
    }
  }
  std::uint64_t word = 20240601;
  for (int i = 0; i < 20000; ++i) {
    word = word * 6364136223846793005 + 1442695040888963407;
    const std::uint64_t mixed = word ^ (word >> 29);
    for (isa::DType type : {kFloat, kInt32, kUint32}) {
      ASSERT_EQ(ReadBack(type, mixed >> 32), mixed >> 32) << isa::Name(type);
    }
    for (isa::DType type : {kDouble, kInt64, kUint64}) {
      ASSERT_EQ(ReadBack(type, mixed), mixed) << isa::Name(type);
    }
  }
  for (std::uint64_t bits :
       {0x0ull, 0x8000000000000000ull, 1ull, 0x7fefffffffffffffull,
        0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull,
        0x7ff0000000000001ull, ~0ull, 0x4340000000000001ull}) {
    for (isa::DType type : {kDouble, kInt64, kUint64}) {
      EXPECT_EQ(ReadBack(type, bits), bits) << isa::Name(type);
    }
  }
}

TEST(ElementToText, IsShort) {
  EXPECT_EQ(ElementToText(kHalf, 0x7858).text, "35584");
  EXPECT_EQ(ElementToText(kHalf, 0x2e66).text, "0.1");
  EXPECT_EQ(ElementToText(kFloat, 0x3dcccccd).text, "0.1");
  EXPECT_EQ(ElementToText(kHalf, 0x7e01).text, "0x7e01");
  EXPECT_EQ(ElementToText(kHalf, 0x8000).text, "-0");
  EXPECT_TRUE(ElementToText(kHalf, 0x8000).quoted);
  EXPECT_EQ(ElementToText(kInt8, 0xff).text, "-1");
  EXPECT_EQ(ElementToText(kUint64, ~std::uint64_t{0}).text,
            "18446744073709551615");
  EXPECT_TRUE(ElementToText(kUint64, ~std::uint64_t{0}).quoted);
}

TEST(UlpDistance, CountsValuesBetween) {
  struct Row {
    isa::DType type;
    std::uint64_t a, b, distance;
  };
  for (const Row& row :
       {Row{kHalf, 0x3c00, 0x3c00, 0}, Row{kHalf, 0x3c00, 0x3c01, 1},
        Row{kHalf, 0x0000, 0x8000, 1}, Row{kHalf, 0x0001, 0x8001, 3},
        Row{kHalf, 0x7bff, 0x7c00, 1}, Row{kHalf, 0x7c00, 0xfc00, 0xf801},
        Row{kHalf, 0x7e00, 0x3c00, 0}, Row{kFloat, 0x3f800000, 0x3f7fffff, 1},
        Row{kInt8, 0x80, 0x7f, 255}, Row{kUint8, 0x80, 0x7f, 1},
        Row{kInt64, 1ull << 63, ~0ull >> 1, ~0ull},
        Row{kUint64, 0, ~0ull, ~0ull}, Row{kDouble, 0, 1ull << 63, 1}}) {
    EXPECT_EQ(UlpDistance(row.type, row.a, row.b), row.distance) << row.a;
    EXPECT_EQ(UlpDistance(row.type, row.b, row.a), row.distance) << row.b;
  }
}

}  // namespace
}  // namespace lanediff

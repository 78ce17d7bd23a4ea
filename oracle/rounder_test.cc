#include "oracle/rounder.h"

#include <gtest/gtest.h>

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "oracle/exact_integer.h"
#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

/// An integer without a bound.
using Wide = boost::multiprecision::cpp_int;

constexpr std::uint64_t kHalfInfinity = 0x7c00;
constexpr std::uint64_t kFloatInfinity = 0x7f800000;

/// Every half magnitude in units of 2^-24, by counting up instead of decoding:
/// the step is 1 until 2^11 and doubles with each 1024 patterns from there on.
/// The last one is 2^16, where infinity's pattern stands.
std::vector<std::int64_t> HalfMagnitudes() {
  std::vector<std::int64_t> units = {0};
  std::int64_t step = 1;
  for (std::uint64_t bits = 1; bits <= kHalfInfinity; ++bits) {
    units.push_back(units.back() + step);
    if (bits % 1024 == 0 && bits >= 2048) step *= 2;
  }
  return units;
}

/// In integers of every width that holds the magnitude.
Rounded Round(Format format, bool negative, const Wide& magnitude,
              int exponent) {
  const Rounded rounded =
      RoundToNearestEven(format, negative, magnitude, exponent);
  if ((magnitude >> kWideBits) == 0) {
    EXPECT_EQ(
        RoundToNearestEven(format, negative, WideInteger(magnitude), exponent),
        rounded);
  }
  if ((magnitude >> kNarrowBits) == 0) {
    EXPECT_EQ(RoundToNearestEven(format, negative, NarrowInteger(magnitude),
                                 exponent),
              rounded);
  }
  return rounded;
}

Rounded RoundHalf(bool negative, const Wide& magnitude, int exponent) {
  return Round(kHalfFormat, negative, magnitude, exponent);
}

Wide ShiftedLeft(std::int64_t integer, int places) {
  return Wide(integer) << static_cast<unsigned>(places);
}

TEST(Rounder, HalfMagnitudesCountUpToTwoToTheSixteen) {
  EXPECT_EQ(HalfMagnitudes().back(), std::int64_t{1} << (16 + 24));
  EXPECT_EQ(HalfMagnitudes()[0x3c00], std::int64_t{1} << 24);  // 1.0
}

TEST(Rounder, KeepsEveryHalf) {
  const auto units = HalfMagnitudes();
  for (std::uint64_t bits = 0; bits < kHalfInfinity; ++bits) {
    for (int finer : {0, 1, 24, 500}) {
      const Wide magnitude = ShiftedLeft(units[bits], finer);
      ASSERT_EQ(RoundHalf(false, magnitude, -24 - finer),
                Rounded{.bits = bits});
      ASSERT_EQ(RoundHalf(true, magnitude, -24 - finer),
                Rounded{.bits = bits | 0x8000});
    }
  }
}

TEST(Rounder, HalfTiesGoToEven) {
  const auto units = HalfMagnitudes();
  for (std::uint64_t bits = 0; bits < kHalfInfinity; ++bits) {
    const std::uint64_t even = bits % 2 == 0 ? bits : bits + 1;
    const Rounded expected{.bits = even, .rounded = true, .tie = true};
    const std::int64_t middle = units[bits] + units[bits + 1];  // times 2^-25
    for (int finer : {0, 1, 24, 500}) {
      ASSERT_EQ(RoundHalf(false, ShiftedLeft(middle, finer), -25 - finer),
                expected)
          << "between " << bits << " and its successor";
    }
  }
}

TEST(Rounder, HalfJustBesideTiesGoesToTheNearest) {
  const auto units = HalfMagnitudes();
  for (std::uint64_t bits = 0; bits < kHalfInfinity; ++bits) {
    const std::int64_t middle = units[bits] + units[bits + 1];
    for (int finer : {1, 24, 500}) {
      const Wide tie = ShiftedLeft(middle, finer);
      ASSERT_EQ(RoundHalf(false, tie - 1, -25 - finer),
                (Rounded{.bits = bits, .rounded = true}));
      ASSERT_EQ(RoundHalf(false, tie + 1, -25 - finer),
                (Rounded{.bits = bits + 1, .rounded = true}));
    }
  }
}

TEST(Rounder, HalfBeyondRangeIsInfinityAndRounded) {
  const Rounded infinity{.bits = kHalfInfinity, .rounded = true};
  EXPECT_EQ(RoundHalf(false, 1, 16), infinity);
  EXPECT_EQ(RoundHalf(false, 1, 600), infinity);
  EXPECT_EQ(RoundHalf(false, 65535, 0), infinity);
  EXPECT_EQ(RoundHalf(true, 65535, 0).bits, kHalfInfinity | 0x8000);
  EXPECT_EQ(RoundHalf(false, 65536 + 32, 0), infinity);  // no tie up there
  EXPECT_EQ(RoundHalf(false, 65519, 0),
            (Rounded{.bits = 0x7bff, .rounded = true}));
}

TEST(Rounder, ZeroKeepsItsSign) {
  EXPECT_EQ(RoundHalf(false, 0, 0), Rounded{.bits = 0});
  EXPECT_EQ(RoundHalf(true, 0, -300), Rounded{.bits = 0x8000});
  EXPECT_EQ(RoundHalf(true, 1, -300),
            (Rounded{.bits = 0x8000, .rounded = true}));
}

/// Magnitude of a finite float pattern in units of 2^-149, from the C library's
/// view of it. Infinity's pattern counts as 2^128.
Wide FloatUnits(std::uint32_t bits) {
  if (bits == kFloatInfinity) return Wide(1) << (128 + 149);
  int exponent = 0;
  const float fraction = std::frexp(std::bit_cast<float>(bits), &exponent);
  const auto integer = static_cast<std::int64_t>(std::ldexp(fraction, 24));
  const int shift = exponent - 24 + 149;
  return shift >= 0 ? Wide(integer) << static_cast<unsigned>(shift)
                    : Wide(integer) >> static_cast<unsigned>(-shift);
}

/// `pattern`, the tie above it and what lies just beside the tie.
void CheckFloatsFrom(std::uint32_t pattern) {
  const auto round = [](const Wide& magnitude, int exponent) {
    return Round(kFloatFormat, false, magnitude, exponent);
  };
  const std::uint32_t even = pattern + pattern % 2;
  ASSERT_EQ(round(FloatUnits(pattern), -149), Rounded{.bits = pattern});
  for (unsigned finer : {0U, 30U, 300U}) {
    const int exponent = -150 - static_cast<int>(finer) - 1;
    const Wide tie = (FloatUnits(pattern) + FloatUnits(pattern + 1))
                     << (finer + 1);
    ASSERT_EQ(round(tie, exponent),
              (Rounded{.bits = even, .rounded = true, .tie = true}));
    ASSERT_EQ(round(tie - 1, exponent),
              (Rounded{.bits = pattern, .rounded = true}));
    ASSERT_EQ(round(tie + 1, exponent),
              (Rounded{.bits = pattern + 1U, .rounded = true}));
  }
}

TEST(Rounder, FloatsTiesAndTheirSidesInEveryBinade) {
  constexpr std::uint32_t kFractions[] = {
      0, 1, 2, 0x2aaaaa, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff};
  for (std::uint32_t stored = 0; stored < 255; ++stored) {
    for (std::uint32_t fraction : kFractions) {
      ASSERT_NO_FATAL_FAILURE(CheckFloatsFrom(stored << 23 | fraction));
    }
  }
}

}  // namespace
}  // namespace lanediff::oracle

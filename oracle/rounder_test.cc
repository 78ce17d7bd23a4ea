#include "oracle/rounder.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <vector>

#include "oracle/exact_integer.h"
#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

/// An integer without a bound.
using Wide = boost::multiprecision::cpp_int;

constexpr std::uint64_t kHalfInfinity = 0x7c00;

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

}  // namespace
}  // namespace lanediff::oracle

#include "differential/testcase/series.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/decimal.h"
#include "differential/testcase/element.h"
#include "differential/testcase/testing.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using enum isa::DType;

Series Ramp(isa::DType type, std::string_view from, std::string_view step,
            std::int64_t count) {
  const auto ramp = Series::Ramp(type, from, step, count);
  EXPECT_TRUE(ramp) << ramp.error();
  return ramp.value();
}

double DoubleAt(std::string_view from, std::string_view step, std::int64_t i) {
  return std::bit_cast<double>(Ramp(kDouble, from, step, i + 1).At(i));
}

TEST(Series, ARampIsExactAndRoundedOnce) {
  // Adding doubles would give 0.30000000000000004.
  EXPECT_EQ(DoubleAt("0.1", "0.1", 2), 0.3);
  EXPECT_EQ(DoubleAt("1", "-0.1", 10), 0);
  EXPECT_TRUE(std::signbit(DoubleAt("-0.0", "1", 0)));
  EXPECT_EQ(DoubleAt("-0.0", "1", 1), 1);
  EXPECT_FALSE(std::signbit(DoubleAt("-1", "1", 1))) << "plus zero";
  EXPECT_EQ(DoubleAt("1e300", "-1e300", 1), 0);
  EXPECT_EQ(DoubleAt("1e300", "1e-300", 1), 1e300);
  EXPECT_EQ(DoubleAt("9223372036854775807", "9223372036854775807", 1000),
            9223372036854775807.0 * 1001);
  EXPECT_EQ(Ramp(kInt64, "9223372036854775806", "1", 2).At(1),
            9223372036854775807u);
  EXPECT_EQ(Ramp(kUint64, "18446744073709551613", "1", 3).At(2), ~1ull + 1);
  EXPECT_EQ(Ramp(kInt8, "127", "-255", 2).At(1), 0x80u);
}

/// What no leading digits determine: the sums lie on a tie of halves, or beside
/// it by less than any of them.
TEST(Series, ARampIsExactWhereItsElementsAreTies) {
  const std::string far(1000, '0');
  for (std::int64_t i = 0; i < 64; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    const std::uint64_t even = 0x6800 + n + (n & 1);
    EXPECT_EQ(Ramp(kHalf, "2049", "2", 64).At(i), even);
    EXPECT_EQ(Ramp(kHalf, "2049." + far + "1", "2", 64).At(i), 0x6801 + n);
    EXPECT_EQ(Ramp(kHalf, "2048." + std::string(1000, '9'), "2", 64).At(i),
              0x6800 + n);
    // What the steps add up to and what the start lacks meet at i = 7.
    const std::string lacks = "2048." + std::string(999, '9') + "3";
    const std::string step = "2." + std::string(999, '0') + "1";
    EXPECT_EQ(Ramp(kHalf, lacks, step, 64).At(i), i < 7    ? 0x6800 + n
                                                  : i == 7 ? even
                                                           : 0x6801 + n);
  }
}

/// Against the digits of each element, read as a number.
TEST(Series, ElementsAreWhatTheirDigitsSay) {
  struct Row {
    const char* from;
    const char* step;
    int places;  ///< of both
    double from_units;
    double step_units;
  };
  for (const Row& row :
       {Row{"16777201", "1", 0, 16777201, 1}, Row{"-0.5", "0.25", 2, -50, 25},
        Row{"0.1", "0.001", 3, 100, 1}, Row{"3e-39", "1e-41", 41, 300, 1},
        Row{"1e-22", "-7e-22", 22, 1, -7}}) {
    for (const isa::DType type : {kFloat, kDouble, kHalf, kBfloat16}) {
      if (type == kHalf && row.from_units > 1e6) continue;
      const Series ramp = Ramp(type, row.from, row.step, 2000);
      for (std::int64_t i = 1; i < 2000; ++i) {
        const auto units = static_cast<std::int64_t>(
            row.from_units + row.step_units * static_cast<double>(i));
        if (units == 0) continue;
        const std::string digits =
            std::to_string(units) + "e-" + std::to_string(row.places);
        ASSERT_EQ(ramp.At(i), ElementFromNumber(type, digits))
            << isa::Name(type) << " " << digits;
      }
    }
  }
}

TEST(Series, WritesAnyPartOfItself) {
  for (const Series& series :
       {Series::Run(kInt32, 0x01020304, 100), Ramp(kFloat, "-1", "0.03", 100),
        Ramp(kHalf, "0.1", "0.00001", 100), Ramp(kInt16, "5", "-1", 100)}) {
    const std::int64_t size = isa::SizeBytes(series.dtype());
    std::vector<std::uint8_t> all;
    for (std::int64_t i = 0; i < series.count(); ++i) {
      AppendElement(series.dtype(), series.At(i), all);
    }
    ASSERT_EQ(std::ssize(all), series.bytes());
    for (std::int64_t first = 0; first < 3 * size; ++first) {
      for (std::int64_t end = first; end < series.bytes(); end += 1 + first) {
        std::vector<std::uint8_t> part(static_cast<std::size_t>(end - first));
        series.Write(first, part);
        ASSERT_TRUE(std::equal(part.begin(), part.end(), all.begin() + first));
      }
    }
  }
}

TEST(Series, ReportsWhatDoesNotFit) {
  const auto error = [](isa::DType type, std::string_view from,
                        std::string_view step, std::int64_t count) {
    const auto ramp = Series::Ramp(type, from, step, count);
    return ramp ? "none" : ramp.error();
  };
  ExpectContains(error(kHalf, "65504", "16", 2), "overflows half");
  ExpectContains(error(kHalf, "0", "1", 1 << 30), "overflows half");
  ExpectContains(error(kInt8, "126", "1", 3), "128 does not fit int8");
  ExpectContains(error(kInt8, "0", "0.5", 3), "integer");
  ExpectContains(error(kInt8, "0", "1" + std::string(300, '0'), 2), "integer");
  ExpectContains(error(kInt8, "0", "1e9999999999999999999999", 2), "integer");
  for (const char* number :
       {"1e-9223372036854775808", "1e-2500", "-1e-99999999999999999999"}) {
    ExpectContains(error(kHalf, number, "1", 3), "between 1e-2000 and 1e2000");
    ExpectContains(error(kHalf, "1", number, 3), "between 1e-2000 and 1e2000");
    EXPECT_EQ(error(kHalf, number, "1", 1), "none");
  }
  ExpectContains(error(kHalf, "1", "0." + std::string(5000, '1'), 3),
                 "1200 digits");
  EXPECT_EQ(error(kHalf, "1e9999", "1", 0), "none") << "has no element";
}

Decimal D(std::string_view text) { return Decimal::Parse(text).value(); }

TEST(Decimal, IsTheNumberHoweverItIsSpelt) {
  EXPECT_EQ(D("1.50e2"), D("150"));
  EXPECT_EQ(D("0.001E+3"), D("1"));
  EXPECT_EQ(D("-0.0000012e6"), D("-1.2"));
  EXPECT_EQ(D("0.0"), D("0e99999999999999999999999"));
  EXPECT_NE(D("1." + std::string(500, '0') + "1"), D("1"));
  EXPECT_NE(D("-1"), D("1"));
  // A million places, and an exponent that brings them back.
  EXPECT_EQ(D("0." + std::string(1'000'000, '0') + "5e1000001"), D("5"));
  EXPECT_EQ(D("7" + std::string(1'000'000, '0') + "e-1000000"), D("7"));
}

TEST(Decimal, AddsAndMultipliesExactly) {
  EXPECT_EQ(D("0.1").Plus(D("0.2")), D("0.3"));
  EXPECT_EQ(D("1").Plus(D("-1")), D("0"));
  EXPECT_EQ(D("-3").Plus(D("2.5")), D("-0.5"));
  EXPECT_EQ(D("999").Plus(D("1")), D("1000"));
  EXPECT_EQ(D("1000").Plus(D("-0.001")), D("999.999"));
  EXPECT_EQ(D("0").Plus(D("-7e-9")), D("-7e-9"));
  EXPECT_EQ(D("7e300").Plus(D("0")), D("7e300"));
  EXPECT_EQ(D("1e50").Plus(D("1e-5")),
            D("1" + std::string(50, '0') + ".00001"));
  EXPECT_EQ(D("-1.5").Times(204), D("-306"));
  EXPECT_EQ(D("7").Times(0), D("0"));
  EXPECT_EQ(D("99999999999999999999").Times(UINT32_MAX),
            D("429496729499999999995705032705"));
  EXPECT_EQ(D("-0.0").Plus(D("-0.0")), D("-0"));
  EXPECT_EQ(D("-0.0").Plus(D("0")), D("0"));
}

TEST(Decimal, RoundsDownToUnits) {
  EXPECT_EQ(D("12.75").FloorIn(0), 12);
  EXPECT_EQ(D("-12.75").FloorIn(0), -13);
  EXPECT_EQ(D("-12").FloorIn(0), -12);
  EXPECT_EQ(D("12.75").FloorIn(-3), 12750);
  EXPECT_EQ(D("1e-400").FloorIn(0), 0);
  EXPECT_EQ(D("-1e-399").FloorIn(0), -1);
  EXPECT_EQ(D("0").FloorIn(-5), 0);
  EXPECT_EQ(D("12300").FloorIn(3), 12);
}

TEST(Decimal, ToStringReadsBack) {
  for (const char* text : {"0", "-1.25", "12e34", "-5e-7", "100"}) {
    EXPECT_EQ(D(text), D(D(text).ToString())) << text;
  }
}

TEST(Decimal, HasLimits) {
  EXPECT_TRUE(Decimal::Parse("9.9e1999"));
  EXPECT_FALSE(Decimal::Parse("1e2000"));
  EXPECT_TRUE(Decimal::Parse("1e-2001"));
  EXPECT_FALSE(Decimal::Parse("1e-2002"));
  // The exponents that no integer of 64 bits can be negated to, and beyond.
  for (const char* text :
       {"1e9223372036854775807", "1e-9223372036854775808",
        "0.01e-9223372036854775808", "10e9223372036854775807",
        "1e99999999999999999999", "1e-99999999999999999999"}) {
    EXPECT_FALSE(Decimal::Parse(text)) << text;
  }
  EXPECT_TRUE(Decimal::Parse("0." + std::string(Decimal::kMaxDigits, '9')));
  EXPECT_FALSE(
      Decimal::Parse("0." + std::string(Decimal::kMaxDigits + 1, '9')));
}

}  // namespace
}  // namespace lanediff

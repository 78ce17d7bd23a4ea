#include "differential/testcase/series.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

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

/// Numbers beside the limits, and such as no integer of 64 bits can be negated
/// to.
TEST(Series, NumbersMayBeSpeltInAnyWayWithinTheLimits) {
  const std::string zeros(1'000'000, '0');
  for (const auto& [from, step, i, sum] :
       std::vector<std::tuple<std::string, std::string, std::int64_t, double>>{
           {"1.50e2", "0e99999999999999999999999", 1, 150},
           {"0.001E+3", "-0.0000012e6", 1, -0.2},
           {"0." + zeros + "5e1000001", "7" + zeros + "e-1000000", 1, 12},
           {"-3", "2.5", 1, -0.5},
           {"999", "1", 1, 1000},
           {"1000", "-0.001", 1, 999.999},
           {"0", "-7e-9", 1, -7e-9},
           {"-1.5", "-1.5", 203, -306},
           {"99999999999999999999", "-99999999999999999999", 1, 0}}) {
    EXPECT_EQ(DoubleAt(from, step, i), sum) << step;
  }
  EXPECT_EQ(Ramp(kHalf, "-2049." + std::string(1000, '0') + "1", "-2", 3).At(2),
            0xe803u);
  EXPECT_TRUE(std::signbit(DoubleAt("-0.0", "-0.0", 1)));
  EXPECT_FALSE(std::signbit(DoubleAt("-0.0", "0", 1)));
  const std::string nines = "0." + std::string(1200, '9');
  for (const std::string& step : {std::string("1e-2001"), nines}) {
    EXPECT_TRUE(Series::Ramp(kDouble, "0", step, 2)) << step;
  }
  for (const std::string& step :
       {std::string("1e2000"), std::string("1e-2002"), nines + "9",
        std::string("1e9223372036854775807"),
        std::string("1e-9223372036854775808"),
        std::string("0.01e-9223372036854775808"),
        std::string("10e9223372036854775807"),
        std::string("1e99999999999999999999")}) {
    const auto ramp = Series::Ramp(kDouble, "0", step, 2);
    ASSERT_FALSE(ramp) << step;
    ExpectContains(ramp.error(), "1200 digits");
  }
  ExpectContains(Series::Ramp(kDouble, "0", "9.9e1999", 2).error(),
                 "99e1998 overflows double");
}

}  // namespace
}  // namespace lanediff

#include "differential/testcase/decimal.h"

#include <gtest/gtest.h>

#include <string>

namespace lanediff {
namespace {

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

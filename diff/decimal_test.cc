#include "diff/decimal.h"

#include <gtest/gtest.h>

#include <string>

namespace lanediff::diff {
namespace {

Decimal D(std::string_view text) { return Decimal::Parse(text).value(); }

bool Equal(const Decimal& a, std::string_view b) {
  return a.Compare(D(b)) == std::strong_ordering::equal;
}

TEST(Decimal, ComparesExactly) {
  EXPECT_TRUE(Equal(D("1.50e2"), "150"));
  EXPECT_TRUE(Equal(D("-0.0"), "0"));
  EXPECT_TRUE(Equal(D("0.001E+3"), "1"));
  EXPECT_TRUE(Equal(D("-0.0000012e6"), "-1.2"));
  const std::string zeros(500, '0');
  EXPECT_TRUE(D("1." + zeros + "1").Compare(D("1")) > 0);
  EXPECT_TRUE(D("-1." + zeros + "1").Compare(D("-1")) < 0);
  EXPECT_TRUE(D("-1").Compare(D("1")) < 0);
  EXPECT_TRUE(D("1e2000").Compare(D("1e-2000")) > 0);
}

TEST(Decimal, AddsAndMultipliesExactly) {
  EXPECT_TRUE(Equal(D("0.1").Plus(D("0.2")), "0.3"));
  EXPECT_TRUE(Equal(D("1").Plus(D("-1")), "0"));
  EXPECT_TRUE(Equal(D("-3").Plus(D("2.5")), "-0.5"));
  EXPECT_TRUE(Equal(D("999").Plus(D("1")), "1000"));
  EXPECT_TRUE(Equal(D("1000").Plus(D("-0.001")), "999.999"));
  EXPECT_TRUE(
      Equal(D("1e50").Plus(D("1e-5")), "1" + std::string(50, '0') + ".00001"));
  EXPECT_TRUE(Equal(D("-1.5").Times(-204), "306"));
  EXPECT_TRUE(Equal(D("7").Times(0), "0"));
  EXPECT_TRUE(Equal(D("1").Times(INT64_MIN), "-9223372036854775808"));
}

TEST(Decimal, HoldsEveryDouble) {
  EXPECT_TRUE(
      Equal(Decimal::FromDouble(0.1),
            "0.1000000000000000055511151231257827021181583404541015625"));
  EXPECT_TRUE(Equal(Decimal::FromDouble(-65520), "-65520"));
  EXPECT_TRUE(Decimal::FromDouble(0x1p-1074).Compare(D("4.94e-324")) > 0);
  EXPECT_TRUE(Equal(Decimal::FromDouble(0x1p-1074).Times(2),
                    Decimal::FromDouble(0x1p-1073).ToString()));
}

TEST(Decimal, ToStringReadsBack) {
  for (const char* text : {"0", "-1.25", "12e34", "-5e-7", "100"}) {
    EXPECT_TRUE(Equal(D(text), D(text).ToString())) << text;
  }
}

TEST(Decimal, HasLimits) {
  EXPECT_TRUE(Decimal::Parse("1e2000"));
  EXPECT_FALSE(Decimal::Parse("1e2001"));
  EXPECT_FALSE(Decimal::Parse("1e-2001"));
  EXPECT_FALSE(Decimal::Parse("1e99999999999999999999"));
  EXPECT_TRUE(Decimal::Parse(std::string(Decimal::kMaxDigits, '9')));
  EXPECT_FALSE(Decimal::Parse(std::string(Decimal::kMaxDigits + 1, '9')));
}

}  // namespace
}  // namespace lanediff::diff

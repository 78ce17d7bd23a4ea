// Cast: what each pair of types, mode and product gives.

#include <cmath>
#include <type_traits>

#include "kernel/carried/call_testing.h"
#include "kernel/carried/numbers.h"

namespace lanediff::kernel {
namespace {

Call Casting(std::uint8_t src, std::uint8_t dst, const char* mode) {
  Call call("Cast");
  call.Operand(kDst, dst, 8192).Operand(kSrc, src, 0).Word("roundMode", mode);
  return call;
}

/// The type of elements of `T`; 16 bits without a sign are a half's.
template <class T>
constexpr std::uint8_t kOf =
    std::is_same_v<T, std::uint16_t> ? std::uint8_t{LANEDIFF_HALF}
                                     : carried::kDTypeOf<T>;

template <class D, class S>
std::vector<D> Cast(const char* mode, const std::vector<S>& values,
                    bool saturate = true, std::uint8_t dst = kOf<D>,
                    std::uint8_t src = kOf<S>) {
  Call call = Casting(src, dst, mode);
  call.Count(std::ssize(values)).Saturation(saturate).Put(0, values);
  EXPECT_EQ(call.Refused(), "") << mode;
  call.Run();
  return call.Get<D>(8192, std::ssize(values));
}

using Ints = std::vector<std::int32_t>;
using Bits = std::vector<std::uint16_t>;

Bits ToBfloat16(const char* mode, const Floats& values, bool saturate = true) {
  return Cast<std::uint16_t>(mode, values, saturate, LANEDIFF_BFLOAT16);
}

TEST(Cast, ToIntegersByMode) {
  const Floats in = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 1.2f, -1.8f};
  const auto to_int = [&](const char* mode) {
    return Cast<std::int32_t>(mode, in);
  };
  EXPECT_EQ(to_int("CAST_RINT"), (Ints{0, 2, 2, 0, -2, 1, -2}));
  EXPECT_EQ(to_int("CAST_NONE"), to_int("CAST_RINT"));
  EXPECT_EQ(to_int("CAST_FLOOR"), (Ints{0, 1, 2, -1, -2, 1, -2}));
  EXPECT_EQ(to_int("CAST_CEIL"), (Ints{1, 2, 3, 0, -1, 2, -1}));
  EXPECT_EQ(to_int("CAST_ROUND"), (Ints{1, 2, 3, -1, -2, 1, -2}));
  EXPECT_EQ(to_int("CAST_TRUNC"), (Ints{0, 1, 2, 0, -1, 1, -1}));
}

TEST(Cast, ThePagesOwnExample) {
  const Bits in = Halves({1.4, 1.5, 1.6, 2.4, 2.5, 2.6});
  const auto to_int = [&](const char* mode) {
    return Cast<std::int32_t>(mode, in);
  };
  EXPECT_EQ(to_int("CAST_CEIL"), (Ints{2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(to_int("CAST_NONE"), (Ints{1, 2, 2, 2, 2, 3}));
  EXPECT_EQ(to_int("CAST_ROUND"), (Ints{1, 2, 2, 2, 3, 3}));
}

TEST(Cast, IntegersSaturateInBothModes) {
  const Floats in = {3e9f, -3e9f, kInf, -kInf, kNan, 2147483648.0f};
  for (const bool mode : {true, false}) {
    EXPECT_EQ(Cast<std::int32_t>("CAST_RINT", in, mode),
              (Ints{INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0, INT32_MAX}));
  }
  EXPECT_EQ(
      Cast<std::int16_t>("CAST_RINT", in),
      (std::vector<std::int16_t>{32767, -32768, 32767, -32768, 0, 32767}));
  EXPECT_EQ(Cast<std::int64_t>("CAST_RINT", Floats{3e38f, -3e38f, kNan, 3e9f}),
            (std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 0, 3000000000}));
  const Bits halves = Halves({65504, -65504, kInf, kNan, -1, 255.5});
  EXPECT_EQ(Cast<std::uint8_t>("CAST_RINT", halves),
            (std::vector<std::uint8_t>{255, 0, 255, 0, 0, 255}));
  EXPECT_EQ(Cast<std::int8_t>("CAST_RINT", halves),
            (std::vector<std::int8_t>{127, -128, 127, 0, -1, 127}));
  EXPECT_EQ(Cast<std::int16_t>("CAST_NONE", Ints{INT32_MAX, INT32_MIN, -7}),
            (std::vector<std::int16_t>{32767, -32768, -7}));
}

TEST(Cast, FloatToHalfByMode) {
  // The page: 0.5 + 2⁻¹² lies half way between 0.5 and 0.5 + 2⁻¹¹.
  const auto one = [](const char* mode, float value, bool saturate = false) {
    return Cast<std::uint16_t>(mode, Floats{value}, saturate)[0];
  };
  const float tie = 0.5f + 0x1p-12f;
  EXPECT_EQ(one("CAST_RINT", tie), 0x3800);
  EXPECT_EQ(one("CAST_NONE", tie), 0x3800);
  EXPECT_EQ(one("CAST_FLOOR", tie), 0x3800);
  EXPECT_EQ(one("CAST_CEIL", tie), 0x3801);
  EXPECT_EQ(one("CAST_ROUND", tie), 0x3801);
  EXPECT_EQ(one("CAST_TRUNC", tie), 0x3800);
  EXPECT_EQ(one("CAST_ODD", tie), 0x3801);
  EXPECT_EQ(one("CAST_ODD", 0.5f + 0x1p-11f + 0x1p-20f), 0x3801);
  EXPECT_EQ(one("CAST_FLOOR", -tie), 0xb801);
  EXPECT_EQ(one("CAST_CEIL", -tie), 0xb800);
  EXPECT_EQ(one("CAST_CEIL", 0x1p-30f), 0x0001);
  EXPECT_EQ(one("CAST_RINT", 65520), 0x7c00);
  EXPECT_EQ(one("CAST_TRUNC", 1e30f), 0x7bff);
  EXPECT_EQ(one("CAST_CEIL", -1e30f), 0xfbff);
  EXPECT_EQ(one("CAST_CEIL", 65505), 0x7c00);
  EXPECT_EQ(one("CAST_ODD", 1e30f), 0x7bff);
  EXPECT_EQ(one("CAST_RINT", 1e30f, true), 0x7bff);
  EXPECT_EQ(one("CAST_ROUND", -kInf, true), 0xfbff);
  EXPECT_EQ(one("CAST_RINT", kNan), 0x7e00);
  EXPECT_EQ(one("CAST_TRUNC", kNan, true), 0x0000);
}

TEST(Cast, HalvesThereAndBackAreTheSame) {
  Bits all;
  Floats exact;
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    if ((i & 0x7c00) == 0x7c00) continue;
    all.push_back(static_cast<std::uint16_t>(i));
    if (all.size() < 2048) continue;
    const Floats wide = Cast<float>("CAST_NONE", all);
    for (std::size_t k = 0; k < all.size(); ++k) {
      ASSERT_EQ(wide[k], test::OfHalf(all[k]));
      ASSERT_EQ(std::signbit(wide[k]), all[k] >= 0x8000);
    }
    for (const char* mode : {"CAST_NONE", "CAST_FLOOR", "CAST_CEIL",
                             "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"}) {
      ASSERT_EQ(Cast<std::uint16_t>(mode, wide), all) << mode;
    }
    all.clear();
  }
  const Bits special = {0x7c00, 0xfc00, 0x7e00};
  const Floats wide = Cast<float>("CAST_NONE", special);
  EXPECT_EQ(wide[0], kInf);
  EXPECT_EQ(wide[1], -kInf);
  EXPECT_TRUE(std::isnan(wide[2])) << "in saturation mode, too";
}

TEST(Cast, Bfloat16) {
  EXPECT_EQ(ToBfloat16("CAST_RINT", Floats{1, 1.00390625f, 3.4028235e38f, kNan},
                       false),
            (Bits{0x3f80, 0x3f80, 0x7f80, 0x7fc0}));
  EXPECT_EQ(ToBfloat16("CAST_ROUND", Floats{1.00390625f, kInf, kNan}),
            (Bits{0x3f81, 0x7f7f, 0}));
  EXPECT_EQ(Cast<float>("CAST_NONE", Bits{0x3f81, 0x0001}, true, LANEDIFF_FLOAT,
                        LANEDIFF_BFLOAT16),
            (Floats{1.0078125f, 0x1p-133f}));
}

TEST(Cast, FloatBeyondHalfIsInfiniteOrTheLargest) {
  for (const float beyond :
       {65536.0f, 98304.0f, 131008.0f, 131072.0f, 262144.0f, 3e38f, kInf}) {
    const bool is_inf = beyond == kInf;
    for (const auto& [mode, expected] :
         {std::pair("CAST_NONE", 0x7c00), std::pair("CAST_RINT", 0x7c00),
          std::pair("CAST_CEIL", 0x7c00), std::pair("CAST_ROUND", 0x7c00),
          std::pair("CAST_FLOOR", 0x7bff), std::pair("CAST_TRUNC", 0x7bff),
          std::pair("CAST_ODD", 0x7bff)}) {
      const int whole = is_inf ? 0x7c00 : expected;
      EXPECT_EQ(Cast<std::uint16_t>(mode, Floats{beyond}, false)[0], whole)
          << mode << " " << beyond;
      EXPECT_EQ(Cast<std::uint16_t>(mode, Floats{beyond})[0], 0x7bff)
          << mode << " " << beyond;
    }
  }
  EXPECT_EQ(
      Cast<std::uint16_t>("CAST_RINT", Floats{65504, 65519, -65536}, false),
      (Bits{0x7bff, 0x7bff, 0xfc00}));
}

TEST(Cast, Bfloat16RoundsTiesByMode) {
  // Half a step above 1, 1 + 2⁻⁷ and −(1 + 2⁻⁷), and a little beside it.
  const Floats in = {0x1.01p0f,    0x1.03p0f,     -0x1.01p0f,
                     -0x1.03p0f,   0x1.010002p0f, 0x1.00fffep0f,
                     0x1.03p-126f, 0x1.01p-133f,  0x1p-134f};
  const auto by = [&](const char* mode) { return ToBfloat16(mode, in, false); };
  EXPECT_EQ(by("CAST_RINT"), (Bits{0x3f80, 0x3f82, 0xbf80, 0xbf82, 0x3f81,
                                   0x3f80, 0x0082, 0x0001, 0x0000}));
  EXPECT_EQ(by("CAST_ROUND"), (Bits{0x3f81, 0x3f82, 0xbf81, 0xbf82, 0x3f81,
                                    0x3f80, 0x0082, 0x0001, 0x0001}));
  EXPECT_EQ(by("CAST_FLOOR"), (Bits{0x3f80, 0x3f81, 0xbf81, 0xbf82, 0x3f80,
                                    0x3f80, 0x0081, 0x0001, 0x0000}));
  EXPECT_EQ(by("CAST_CEIL"), (Bits{0x3f81, 0x3f82, 0xbf80, 0xbf81, 0x3f81,
                                   0x3f81, 0x0082, 0x0002, 0x0001}));
  EXPECT_EQ(by("CAST_TRUNC"), (Bits{0x3f80, 0x3f81, 0xbf80, 0xbf81, 0x3f80,
                                    0x3f80, 0x0081, 0x0001, 0x0000}));
}

TEST(Cast, FloatToFloatRoundsToWholeAndHasNoMinusZero) {
  const Floats out =
      Cast<float>("CAST_RINT", Floats{0.5f, -0.3f, -0.0f, 1e30f});
  EXPECT_EQ(out, (Floats{0, 0, 0, 1e30f}));
  EXPECT_FALSE(std::signbit(out[1]));
  EXPECT_FALSE(std::signbit(out[2]));
}

TEST(Cast, IntegersToFloats) {
  EXPECT_EQ(Cast<float>("CAST_TRUNC", Ints{INT32_MAX, 16777217}),
            (Floats{2147483520.0f, 16777216.0f}));
  EXPECT_EQ(Cast<float>("CAST_CEIL", Ints{INT32_MAX, INT32_MIN, -16777217}),
            (Floats{2147483648.0f, -2147483648.0f, -16777216.0f}));
  EXPECT_EQ(Cast<std::uint16_t>("CAST_ROUND",
                                std::vector<std::int16_t>{2049, -2049, 32767}),
            Halves({2050, -2050, 32768}));
  EXPECT_EQ(
      Cast<std::uint16_t>("CAST_RINT", std::vector<std::int16_t>{2049, 2051}),
      Halves({2048, 2052}));
}

TEST(Cast, Int32ToHalfIsTimesTheScale) {
  Call call = Casting(LANEDIFF_INT32, LANEDIFF_HALF, "CAST_NONE");
  call.Count(3).Put<std::int32_t>(0, {3, INT32_MAX, -70000});
  call.call.state.deq_scale = test::HalfOf(0.5);
  call.Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 3),
            (Bits{test::HalfOf(1.5), 0x7bff, test::HalfOf(-35000)}));
  EXPECT_TRUE(call.Plan()->approximate);
  call.call.state.deq_scale = test::HalfOf(1);
  EXPECT_FALSE(call.Plan()->approximate);
}

TEST(Cast, FourBitsLieTwoInAByte) {
  Call call = Casting(LANEDIFF_HALF, LANEDIFF_INT4, "CAST_RINT");
  call.Count(4).Put(0, Halves({1, -1, 100, -100}));
  EXPECT_EQ(call.Touched(), "0 src 0+8 dst=8192+2");
  call.Run();
  EXPECT_EQ(call.Get<std::uint8_t>(8192, 2),
            (std::vector<std::uint8_t>{0xf1, 0x87}));
  Call back = Casting(LANEDIFF_INT4, LANEDIFF_HALF, "CAST_NONE");
  back.Count(4).Put<std::uint8_t>(0, {0xf1, 0x87}).Run();
  EXPECT_EQ(back.Get<std::uint16_t>(8192, 4), Halves({1, -1, 7, -8}));
}

TEST(Cast, IterationsHaveTheLanesOfTheWiderType) {
  Call widen = Casting(LANEDIFF_HALF, LANEDIFF_INT32, "CAST_RINT");
  widen.Mask(64, 2).Strides({1, 1, 8, 4});
  EXPECT_EQ(widen.Touched(),
            "0 src 0+128 dst=8192+256; 1 src 128+128 dst=8448+256");
  EXPECT_EQ(widen.OutOfRange(), "");
  Call more = Casting(LANEDIFF_HALF, LANEDIFF_INT32, "CAST_RINT");
  EXPECT_EQ(more.Mask(65, 1).OutOfRange(), "mask");
  Call narrow = Casting(LANEDIFF_FLOAT, LANEDIFF_HALF, "CAST_RINT");
  narrow.Mask(64, 1).Strides({2, 1, 8, 8});
  EXPECT_EQ(narrow.Touched(),
            "0 src 0+256 dst=8192+32 dst=8256+32 dst=8320+32 dst=8384+32");
}

TEST(Cast, TypesAndModesByProduct) {
  const auto refused = [](std::uint8_t src, std::uint8_t dst, const char* mode,
                          isa::Product product = isa::Product::kAtlasA2) {
    Call call = Casting(src, dst, mode);
    return call.Count(1).On(product).Refused();
  };
  EXPECT_EQ(refused(LANEDIFF_INT4, LANEDIFF_BFLOAT16, "CAST_NONE"),
            "Cast from int4b_t to bfloat16_t");
  EXPECT_EQ(refused(LANEDIFF_FLOAT, LANEDIFF_INT32, "CAST_ODD"),
            "Cast from float to int32_t with CAST_ODD");
  EXPECT_EQ(refused(LANEDIFF_FLOAT, LANEDIFF_INT32, "CAST_HYBRID"),
            "Cast from float to int32_t with CAST_HYBRID");
  EXPECT_EQ(refused(LANEDIFF_FLOAT, LANEDIFF_HALF, "CAST_RINT",
                    isa::Product::kAtlasTraining),
            "Cast from float to half with CAST_RINT");
  EXPECT_EQ(refused(LANEDIFF_FLOAT, LANEDIFF_HALF, "CAST_ODD",
                    isa::Product::kAtlasTraining),
            "");
  EXPECT_EQ(refused(LANEDIFF_INT4, LANEDIFF_HALF, "CAST_NONE",
                    isa::Product::kAtlas200i500A2),
            "Cast from int4b_t to half");
}

}  // namespace
}  // namespace lanediff::kernel

// What a lane becomes: special values, limits, bits, every half.

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

// ------------------------------------------------------------------

/// Of one lane of halves.
std::uint16_t Half1(const char* name, double a, bool saturate = true) {
  Call call = Unary(name, LANEDIFF_HALF);
  call.Count(1).Saturation(saturate).Put(0, Halves({a})).Run();
  return call.Get<std::uint16_t>(8192);
}
std::uint16_t HalfScalar(const char* name, double a, double scalar,
                         bool saturate = true) {
  Call call = Unary(name, LANEDIFF_HALF);
  call.Count(1).Saturation(saturate).Put(0, Halves({a}));
  call.Scalar(LANEDIFF_HALF, test::HalfOf(scalar)).Run();
  return call.Get<std::uint16_t>(8192);
}

TEST(Values, HalvesSaturate) {
  EXPECT_EQ(HalfScalar("Adds", 65504, 15), 0x7bff);
  EXPECT_EQ(HalfScalar("Adds", 65504, 16), 0x7bff);
  EXPECT_EQ(HalfScalar("Adds", 65504, 16, false), 0x7c00);
  EXPECT_EQ(HalfScalar("Adds", -65504, -16), 0xfbff);
  EXPECT_EQ(HalfScalar("Adds", 2048, 1), test::HalfOf(2048));
  EXPECT_EQ(HalfScalar("Adds", 2048, 3), test::HalfOf(2052));
  EXPECT_EQ(HalfScalar("Subs", 1, 3), test::HalfOf(-2));
  EXPECT_EQ(HalfScalar("Muls", kInf, 0), 0x0000);
  EXPECT_EQ(HalfScalar("Muls", kInf, 0, false), 0x7e00);
  EXPECT_EQ(HalfScalar("Muls", 65504, -kInf, false), 0xfc00);
  EXPECT_EQ(HalfScalar("Maxs", -0.0, 0.0), 0x0000);
  EXPECT_EQ(HalfScalar("Mins", 0.0, -0.0), 0x8000);
  EXPECT_EQ(HalfScalar("Mins", kInf, kInf), 0x7bff);
  EXPECT_EQ(HalfScalar("Mins", 1, kNan, false), 0x7e00);
  EXPECT_EQ(Half1("Abs", -kInf), 0x7bff);
  EXPECT_EQ(Half1("Abs", -0.0), 0x0000);
  EXPECT_EQ(Half1("Relu", -0.0), 0x0000);
  EXPECT_EQ(Half1("Relu", kNan), 0x0000);
  EXPECT_EQ(Half1("Relu", kNan, false), 0x7e00);
  EXPECT_EQ(Half1("Exp", 65504), 0x7bff);
  EXPECT_EQ(Half1("Exp", -kInf), 0x0000);
  EXPECT_EQ(Half1("Ln", -0.0), 0xfbff);
  EXPECT_EQ(Half1("Ln", -1, false), 0x7e00);
  EXPECT_EQ(Half1("Sqrt", -0.0), 0x8000);
  EXPECT_EQ(Half1("Rsqrt", -0.0, false), 0xfc00);
  EXPECT_EQ(Half1("Reciprocal", -kInf), 0x8000);
}

TEST(Values, LeakyReluMultipliesWhatIsNegativeOrMinusZero) {
  EXPECT_EQ(HalfScalar("LeakyRelu", -2, 0.5), test::HalfOf(-1));
  EXPECT_EQ(HalfScalar("LeakyRelu", 2, kNan), test::HalfOf(2));
  EXPECT_EQ(HalfScalar("LeakyRelu", 0.0, kInf), 0x0000);
  EXPECT_EQ(HalfScalar("LeakyRelu", -0.0, -1), 0x0000);
  EXPECT_EQ(HalfScalar("LeakyRelu", -0.0, kInf, false), 0x7e00);
  EXPECT_EQ(HalfScalar("LeakyRelu", -65504, 65504), 0xfbff);
}

TEST(Values, FloatsAreIeeeWhateverTheMode) {
  for (const bool saturate : {true, false}) {
    Call call = Unary("Muls", LANEDIFF_FLOAT);
    call.Count(4).Saturation(saturate).Scalar(LANEDIFF_FLOAT, FloatBits(kInf));
    call.Put<float>(0, {0, 1, -1, kNan}).Run();
    EXPECT_EQ(call.Get<std::uint32_t>(8192, 4),
              (std::vector<std::uint32_t>{0x7fc00000, 0x7f800000, 0xff800000,
                                          0x7fc00000}));
  }
}

TEST(Values, IntegersSaturateOrWrapByTheMode) {
  const auto adds = [](bool saturate) {
    Call call = Unary("Adds", LANEDIFF_INT16);
    call.Count(3).Saturation(saturate).Scalar(LANEDIFF_INT16, 32767);
    call.Put<std::int16_t>(0, {32767, -32768, 1}).Run();
    return call.Get<std::int16_t>(8192, 3);
  };
  EXPECT_EQ(adds(true), (std::vector<std::int16_t>{32767, -1, 32767}));
  EXPECT_EQ(adds(false), (std::vector<std::int16_t>{-2, -1, -32768}));
  const auto muls = [](bool saturate) {
    Call call = Unary("Muls", LANEDIFF_INT32);
    call.Count(2).Saturation(saturate).Scalar(LANEDIFF_INT32, 0x80000000);
    call.Put<std::int32_t>(0, {INT32_MIN, INT32_MAX}).Run();
    return call.Get<std::int32_t>(8192, 2);
  };
  EXPECT_EQ(muls(true), (std::vector<std::int32_t>{INT32_MAX, INT32_MIN}));
  EXPECT_EQ(muls(false), (std::vector<std::int32_t>{0, INT32_MIN}));
}

TEST(Values, AddReluSaturatesBetweenItsTwoSteps) {
  const auto run = [](const char* name, bool saturate) {
    Call call = Binary(name, LANEDIFF_INT16);
    call.Count(3).Saturation(saturate);
    call.Put<std::int16_t>(0, {32767, -5, 7})
        .Put<std::int16_t>(4096, {1, 3, 2});
    call.Run();
    return call.Get<std::int16_t>(8192, 3);
  };
  EXPECT_EQ(run("AddRelu", true), (std::vector<std::int16_t>{32767, 0, 9}));
  EXPECT_EQ(run("AddRelu", false), (std::vector<std::int16_t>{0, 0, 9}))
      << "what wraps is negative";
  EXPECT_EQ(run("SubRelu", true), (std::vector<std::int16_t>{32766, 0, 5}));
}

TEST(Values, BitsAndShifts) {
  Call call = Binary("And", LANEDIFF_UINT16);
  call.Count(2).Put<std::uint16_t>(0, {0xff0f, 0x8000});
  call.Put<std::uint16_t>(4096, {0x0fff, 0x8001}).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 2),
            (std::vector<std::uint16_t>{0x0f0f, 0x8000}));
  const auto shift = [](const char* name, std::uint8_t dtype, std::uint16_t a,
                        std::uint64_t by, bool round = false) {
    Call one = Unary(name, dtype);
    one.Count(1).Scalar(dtype, by).Number("roundEn", round);
    one.Put<std::uint16_t>(0, {a}).Run();
    return one.Get<std::uint16_t>(8192);
  };
  // The page's own numbers: the sign stays, what is behind it goes.
  EXPECT_EQ(shift("ShiftLeft", LANEDIFF_UINT16, 0xaaaa, 1), 0x5554);
  EXPECT_EQ(shift("ShiftLeft", LANEDIFF_INT16, 0xaaaa, 1), 0xd554);
  EXPECT_EQ(shift("ShiftLeft", LANEDIFF_INT16, 0xaaaa, 3), 0xd550);
  EXPECT_EQ(shift("ShiftLeft", LANEDIFF_INT16, 0x4000, 1), 0);
  EXPECT_EQ(shift("ShiftLeft", LANEDIFF_INT16, 0xffff, 16), 0x8000);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_UINT16, 0xaaaa, 1), 0x5555);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0xaaaa, 1), 0xd555);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0xaaaa, 3), 0xf555);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_UINT16, 0xffff, 16), 0);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0x8000, 16), 0xffff);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 17, 5, true), 1);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 3, 1, true), 2);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 2, 1, true), 1);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0xfffd, 1, true), 0xffff);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 3, 0, true), 3);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0x7fff, 15, true), 1);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 0x8000, 16, true), 0);
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_UINT16, 3, 1, true), 1)
      << "roundEn is of signed types";
  EXPECT_EQ(shift("ShiftRight", LANEDIFF_INT16, 17, 5, false), 0);
}

TEST(Values, MultiplyAddsRoundTwice) {
  // 1 + 2⁻¹⁰ squared is 1 + 2⁻⁹ + 2⁻²⁰; in half the last is lost before −1.
  Call call = Binary("MulAddDst", LANEDIFF_HALF);
  const double one = 1 + 0x1p-10;
  call.Count(1).Put(0, Halves({one})).Put(4096, Halves({one}));
  call.Put(8192, Halves({-1})).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192), test::HalfOf(0x1p-9));
  // 65504 · 65504 saturates and takes −65504 with it (表20).
  Call axpy = Unary("Axpy", LANEDIFF_HALF);
  axpy.Count(1).Scalar(LANEDIFF_HALF, 0x7bff).Put(0, Halves({65504}));
  axpy.Put(8192, Halves({-65504})).Run();
  EXPECT_EQ(axpy.Get<std::uint16_t>(8192), 0);
  EXPECT_TRUE(axpy.Plan()->approximate);
  Call fused = Binary("FusedMulAdd", LANEDIFF_FLOAT);
  fused.Count(1).Put<float>(0, {2}).Put<float>(4096, {3}).Put<float>(8192, {5});
  fused.Run();
  EXPECT_EQ(fused.Get<float>(8192), 13) << "2 · 5 + 3";
}

TEST(Values, DuplicateWritesTheLanesOfTheMaskAlone) {
  Call call("Duplicate");
  call.Operand(kDst, LANEDIFF_FLOAT, 32).Scalar(LANEDIFF_FLOAT, FloatBits(18));
  call.MaskBits(5, 0, 2).Numbers({"dstBlockStride", "dstRepeatStride"}, {1, 8});
  EXPECT_EQ(call.Touched(), "0 dst=32+4 dst=40+4; 1 dst=288+4 dst=296+4");
  call.Run();
  EXPECT_EQ(call.Get<float>(32, 4), (std::vector<float>{18, 0, 18, 0}));
  EXPECT_EQ(call.Get<float>(288, 4), (std::vector<float>{18, 0, 18, 0}));
}

TEST(Values, InPlaceAndOverlappingRunsReadBeforeTheyWrite) {
  std::vector<float> ramp(2000);
  std::iota(ramp.begin(), ramp.end(), 0.0f);
  Call same("Adds");
  same.Operand(kDst, LANEDIFF_FLOAT, 0).Operand(kSrc, LANEDIFF_FLOAT, 0);
  same.Count(2000).Scalar(LANEDIFF_FLOAT, FloatBits(1)).Put(0, ramp).Run();
  EXPECT_EQ(same.Get<float>(0, 2000)[1999], 2000);
  Call shifted("Adds");
  shifted.Operand(kDst, LANEDIFF_FLOAT, 32).Operand(kSrc, LANEDIFF_FLOAT, 0);
  shifted.Count(2000).Scalar(LANEDIFF_FLOAT, FloatBits(1)).Put(0, ramp).Run();
  std::iota(ramp.begin(), ramp.end(), 1.0f);
  EXPECT_EQ(shifted.Get<float>(32, 2000), ramp);
  // Iterations see what earlier ones wrote: 64 floats on, four times.
  Call chain("Adds");
  chain.Operand(kDst, LANEDIFF_FLOAT, 256).Operand(kSrc, LANEDIFF_FLOAT, 0);
  chain.Mask(64, 4).Scalar(LANEDIFF_FLOAT, FloatBits(1));
  chain.Strides({1, 1, 8, 8});
  chain.Run();
  EXPECT_EQ(chain.Get<float>(256 * 4), 4);
}

TEST(Values, EveryHalfAgainstTheCompilersHalf) {
  const std::vector<double> others = {1,     -3,       0x1p-14, 0x1p-24, 0.333,
                                      65504, 0x1.8p-5, -0.0,    2049.5,  1e-3};
  std::vector<std::uint16_t> all(65536 / 4);
  for (std::uint32_t part = 0; part < 4; ++part) {
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::uint16_t>(part * all.size() + i);
    }
    for (const double other : others) {
      const double b = test::OfHalf(test::HalfOf(other));
      for (const char* name : {"Adds", "Muls", "Divs"}) {
        Call call(name);
        call.Operand(kDst, LANEDIFF_HALF, 0).Operand(kSrc, LANEDIFF_HALF, 0);
        call.Count(static_cast<std::int64_t>(all.size())).Saturation(false);
        call.Scalar(LANEDIFF_HALF, test::HalfOf(other)).Put(0, all).Run();
        const auto found = call.Get<std::uint16_t>(0, 16384);
        for (std::size_t i = 0; i < all.size(); ++i) {
          const double a = test::OfHalf(all[i]);
          const double exact = *name == 'A'   ? a + b
                               : *name == 'M' ? a * b
                                              : a / b;
          // A quotient in double is rounded twice; 53 bits suffice for 11.
          const std::uint16_t expected =
              std::isnan(exact) ? std::uint16_t{0x7e00} : test::HalfOf(exact);
          ASSERT_EQ(found[i], expected) << name << " " << a << " " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lanediff::kernel

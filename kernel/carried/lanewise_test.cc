// Calls of one result a lane: which lanes they take, what is out of range, and
// what a lane becomes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using Ints16 = std::vector<std::int16_t>;

// ---- Lanes: lanes_test.cc has those of masks --------------------------------

TEST(Lanes, CountFormIsOneRunOfEachOperand) {
  Call call = Unary("Subs", LANEDIFF_FLOAT);
  call.Count(4096).Scalar(LANEDIFF_FLOAT, FloatBits(1));
  EXPECT_EQ(call.Touched(), "0 src 0+16384 dst=8192+16384");
  EXPECT_EQ(call.Plan()->mask,
            (isa::CarriedMask{.leaves = test::kAllLanes, .sets_normal = true}));
  EXPECT_EQ(call.Plan()->pipe, isa::Pipe::kV);
}

TEST(Lanes, NoElementTouchesNothingAndLeavesTheMask) {
  Call call = Unary("Neg", LANEDIFF_HALF);
  EXPECT_EQ(call.Count(0).Touched(), "");
  EXPECT_EQ(call.Plan()->mask.leaves, std::nullopt);
  Call masked = Unary("Neg", LANEDIFF_HALF);
  EXPECT_EQ(masked.Mask(128, 0).Touched(), "");
  EXPECT_EQ(masked.Plan()->mask.leaves, test::kAllLanes);
}

TEST(Lanes, ACountFormWithoutSetMaskGoesByTheRegister) {
  Call call = Unary("Subs", LANEDIFF_FLOAT);
  call.Count(1).Scalar(LANEDIFF_FLOAT, 0).NoSetMask().Counter(100);
  EXPECT_EQ(call.Touched(), "0 src 0+400 dst=8192+400");
  EXPECT_FALSE(call.Plan()->mask.is_set_mask);
  call.call.state = VectorState();
  call.call.state.mask_low = 3;
  call.call.state.mask_high = 0;
  EXPECT_EQ(call.Touched(), "0 src 0+8 dst=8192+8");
}

TEST(Lanes, OperandsOfTwoWidthsHaveTheLanesOfTheWider) {
  Call call("Axpy");
  call.Operand(kDst, LANEDIFF_FLOAT, 8192).Operand(kSrc, LANEDIFF_HALF, 0);
  call.Scalar(LANEDIFF_HALF, HalfOf(2)).Mask(64, 2).Strides({1, 1, 8, 4});
  EXPECT_EQ(call.Touched(),
            "0 src 0+128 dst 8192+256 dst=8192+256; "
            "1 src 128+128 dst 8448+256 dst=8448+256");
  EXPECT_EQ(call.OutOfRange(), "");
  call.Put(0, Halves({1, 65504, 0.5})).Put<float>(8192, {1, 2, 3}).Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (Floats{3, 131010, 4}));
  EXPECT_EQ(call.Mask(65, 2).OutOfRange(), "mask");
}

// ---- Ranges and refusals ----------------------------------------------------

TEST(Ranges, FewIterationsOfARejectedCallAreListed) {
  Call call = Unary("Neg", LANEDIFF_FLOAT);
  call.Mask(0, 1).NoSetMask().Counter(~std::uint64_t{0}).Strides({1, 0, 0, 0});
  EXPECT_EQ(call.OutOfRange(), "maskRegister");
  EXPECT_TRUE(call.Plan()->cut);
  EXPECT_LE(call.Plan()->reads.size(), 8u * 256);
  Call allowed = Unary("Neg", LANEDIFF_FLOAT);
  allowed.Mask(0, 1).NoSetMask().Counter(64 * 300).Strides({1, 1, 0, 0});
  EXPECT_EQ(allowed.Plan()->reads.size(), 300u);
}

TEST(Ranges, OutsideOfThemTheNearestEndIsTouched) {
  EXPECT_EQ(Unary("Neg", LANEDIFF_FLOAT).Mask(65, 1).OutOfRange(), "mask");
  EXPECT_EQ(Unary("Neg", LANEDIFF_FLOAT).Mask(65, 1).NoSetMask().OutOfRange(),
            "")
      << "a placeholder";
  Call call = Unary("Neg", LANEDIFF_HALF);
  call.Mask(128, 1).Strides({256, 1, 8, 8});
  EXPECT_EQ(call.OutOfRange(), "dstBlkStride");
  EXPECT_EQ(call.Plan()->writes[1].at, 8192 + 255 * 32);
}

TEST(Refusals, NameTheTypes) {
  EXPECT_EQ(Unary("Neg", LANEDIFF_INT8).Count(1).Refused(), "Neg of int8_t");
  EXPECT_EQ(Unary("Prelu", LANEDIFF_HALF).Count(1).Refused(),
            "Prelu without src0");
  EXPECT_EQ(Binary("Prelu", LANEDIFF_INT4).Count(1).Refused(),
            "Prelu of int4b_t");
  EXPECT_EQ(
      Unary("Subs", LANEDIFF_HALF).Scalar(LANEDIFF_FLOAT, 0).Count(1).Refused(),
      "Subs of half with a scalar of float");
  Call mixed("MulAddDst");
  mixed.Operand(kDst, LANEDIFF_HALF, 0)
      .Operand(kSrc0, LANEDIFF_FLOAT, 0)
      .Operand(kSrc1, LANEDIFF_FLOAT, 0);
  EXPECT_EQ(mixed.Count(1).Refused(), "MulAddDst from float to half");
  EXPECT_EQ(Call("Broadcast").Refused(), "Broadcast is no known call");
  EXPECT_FALSE(IsCarried("Adds")) << "it is audited";
  EXPECT_TRUE(IsCarried("Subs"));
}

// ---- Values -----------------------------------------------------------------

TEST(Values, OfHalves) {
  struct Row {
    const char* name;
    double a;
    double scalar;
    std::uint16_t saturated;
    std::uint16_t otherwise;
  };
  for (const Row& row : {
           Row{"Subs", 65504, -15, 0x7bff, 0x7bff},
           Row{"Subs", 65504, -16, 0x7bff, 0x7c00},
           Row{"Subs", -65504, 16, 0xfbff, 0xfc00},
           Row{"Subs", 2048, -1, 0x6800, 0x6800},
           Row{"Subs", 2048, -3, 0x6802, 0x6802},
           Row{"Subs", 1, 3, 0xc000, 0xc000},
           Row{"Subs", kInf, kInf, 0x0000, 0x7e00},
           Row{"Divs", 1, -0.0, 0xfbff, 0xfc00},
           Row{"Neg", -kInf, 0, 0x7bff, 0x7c00},
           Row{"Neg", 0, 0, 0x8000, 0x8000},
       }) {
    for (const bool saturate : {true, false}) {
      Call call = Unary(row.name, LANEDIFF_HALF);
      call.Count(1).Saturation(saturate).Put(0, Halves({row.a}));
      call.Scalar(LANEDIFF_HALF, HalfOf(row.scalar)).Run();
      EXPECT_EQ(call.Get<std::uint16_t>(8192),
                saturate ? row.saturated : row.otherwise)
          << row.name << " " << row.a << " " << row.scalar << " " << saturate;
    }
  }
}

TEST(Values, PreluMultipliesWhatIsNegativeOrMinusZero) {
  Call call = Binary("Prelu", LANEDIFF_HALF);
  call.Count(5).Put(0, Halves({-2, 2, 0.0, -0.0, -65504}));
  call.Put(4096, Halves({0.5, kNan, kInf, -1, 65504})).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 5), Halves({-1, 2, 0, 0, -65504}));
}

TEST(Values, FloatsAreIeeeWhateverTheMode) {
  for (const bool saturate : {true, false}) {
    Call call = Unary("Divs", LANEDIFF_FLOAT);
    call.Count(4).Saturation(saturate).Scalar(LANEDIFF_FLOAT, FloatBits(0));
    call.Put<float>(0, {0, 1, -1, kNan}).Run();
    EXPECT_EQ(call.Get<std::uint32_t>(8192, 4),
              (std::vector<std::uint32_t>{0x7fc00000, 0x7f800000, 0xff800000,
                                          0x7fc00000}));
  }
}

TEST(Values, IntegersSaturateOrWrapByTheMode) {
  const auto of = []<class T>(const char* name, std::uint8_t dtype, T by,
                              bool saturate, const std::vector<T>& values) {
    Call call = Unary(name, dtype);
    call.Count(std::ssize(values)).Saturation(saturate);
    call.Scalar(dtype, static_cast<std::uint64_t>(by)).Put(0, values).Run();
    return call.Get<T>(8192, std::ssize(values));
  };
  const Ints16 shorts = {32767, -32768, 1};
  constexpr std::int16_t kOff = -32767;
  EXPECT_EQ(of("Subs", LANEDIFF_INT16, kOff, true, shorts),
            (Ints16{32767, -1, 32767}));
  EXPECT_EQ(of("Subs", LANEDIFF_INT16, kOff, false, shorts),
            (Ints16{-2, -1, -32768}));
  const std::vector<std::int32_t> least = {INT32_MIN};
  EXPECT_EQ(of("Neg", LANEDIFF_INT32, 0, true, least)[0], INT32_MAX);
  EXPECT_EQ(of("Neg", LANEDIFF_INT32, 0, false, least)[0], INT32_MIN);
}

TEST(Values, Bits) {
  const auto of = [](const char* name, std::uint8_t dtype, std::uint16_t a,
                     std::uint64_t by) {
    Call one = Unary(name, dtype);
    one.Count(1).Scalar(dtype, by);
    one.Put<std::uint16_t>(0, {a}).Run();
    return one.Get<std::uint16_t>(8192);
  };
  EXPECT_EQ(of("Ands", LANEDIFF_UINT16, 0xff0f, 0x0fff), 0x0f0f);
  EXPECT_EQ(of("Ors", LANEDIFF_INT16, 0x8001, 0x0ff0), 0x8ff1);
}

TEST(Values, MultiplyAddsRoundTwice) {
  // 1 + 2⁻¹⁰ squared is 1 + 2⁻⁹ + 2⁻²⁰, which float holds.
  const double one = 1 + 0x1p-10;
  const auto mixed = [](const char* name, isa::OperandName first) {
    Call call(name);
    call.Operand(kDst, LANEDIFF_FLOAT, 8192).Operand(first, LANEDIFF_HALF, 0);
    return call;
  };
  Call call = mixed("MulAddDst", kSrc0);
  call.Operand(kSrc1, LANEDIFF_HALF, 4096).Count(1);
  call.Put(0, Halves({one})).Put(4096, Halves({one}));
  call.Put<float>(8192, {-1}).Run();
  EXPECT_EQ(call.Get<float>(8192), 0x1p-9 + 0x1p-20);
  Call axpy = mixed("Axpy", kSrc);
  axpy.Count(1).Scalar(LANEDIFF_HALF, HalfOf(one)).Put(0, Halves({one}));
  axpy.Put<float>(8192, {0x1p26}).Run();
  EXPECT_EQ(axpy.Get<float>(8192), 0x1p26);
  EXPECT_TRUE(axpy.Plan()->approximate);
}

TEST(Values, DequantizationTakesTheScaleThatIsSet) {
  const auto run = [](const char* name, std::optional<double> scale) {
    Call call = name[0] == 'C' ? Unary(name, LANEDIFF_INT32)
                               : Binary(name, LANEDIFF_INT32);
    call.call.operands[0].dtype = LANEDIFF_HALF;
    if (scale) call.call.state.deq_scale = HalfOf(*scale) | 0xabcd0000;
    call.Count(4).Put<std::int32_t>(0, {3, -2147483647, 4098, 2049});
    call.Put<std::int32_t>(4096, {1, -1, 1, 0});
    call.Run();
    return std::pair(call.Get<std::uint16_t>(8192, 4),
                     call.Plan()->approximate);
  };
  EXPECT_EQ(run("CastDequant", 0.5),
            std::pair(Halves({1.5, -65504, 2049, 1024}), true));
  EXPECT_EQ(run("CastDequant", std::nullopt).second, true);
  EXPECT_EQ(run("AddDeqRelu", 0.5),
            std::pair(Halves({2, 0, 2050, 1024.5}), true));
  Call one = Unary("CastDequant", LANEDIFF_INT32);
  one.call.operands[0].dtype = LANEDIFF_HALF;
  one.call.state.deq_scale = 0x3c00;
  EXPECT_FALSE(one.Count(1).Plan()->approximate);
  Call bytes = Unary("CastDequant", LANEDIFF_INT16);
  bytes.call.operands[0].dtype = LANEDIFF_INT8;
  EXPECT_EQ(bytes.Refused(),
            "CastDequant from int16_t to int8_t: no page states how a scale of "
            "10 bits is rounded");
}

TEST(Values, AScaledIntegerIsRoundedOnce) {
  // A float between would be the middle of two halves.
  Call call = Unary("CastDequant", LANEDIFF_INT32);
  call.call.operands[0].dtype = LANEDIFF_HALF;
  call.call.state.deq_scale = 1025;
  call.Count(3).Put<std::int32_t>(0, {266929599, 130387611, -119322834}).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 3),
            (std::vector<std::uint16_t>{29687, 28615, 28447 | 0x8000}));
}

TEST(Values, InPlaceAndOverlappingRunsReadBeforeTheyWrite) {
  const auto subs = [](std::int64_t dst) {
    Call call("Subs");
    call.Operand(kDst, LANEDIFF_FLOAT, dst).Operand(kSrc, LANEDIFF_FLOAT, 0);
    call.Scalar(LANEDIFF_FLOAT, FloatBits(-1));
    return call;
  };
  Floats ramp(2000);
  std::iota(ramp.begin(), ramp.end(), 0.0f);
  Call same = subs(0);
  same.Count(2000).Put(0, ramp).Run();
  Call shifted = subs(32);
  shifted.Count(2000).Put(0, ramp).Run();
  std::iota(ramp.begin(), ramp.end(), 1.0f);
  EXPECT_EQ(same.Get<float>(0, 2000), ramp);
  EXPECT_EQ(shifted.Get<float>(32, 2000), ramp);
  // Iterations see what earlier ones wrote: 64 floats on, four times.
  Call chain = subs(256);
  chain.Mask(64, 4).Strides({1, 1, 8, 8}).Run();
  EXPECT_EQ(chain.Get<float>(256 * 4), 4);
}

TEST(Values, EveryHalfAgainstTheCompilersHalf) {
  std::vector<std::uint16_t> all(65536 / 4);
  for (std::uint32_t part = 0; part < 4; ++part) {
    std::iota(all.begin(), all.end(),
              static_cast<std::uint16_t>(part * all.size()));
    for (const double other : {1.0, -3.0, 0x1p-14, 0x1p-24, 0.333, 65504.0,
                               0x1.8p-5, -0.0, 2049.5, 1e-3}) {
      const double b = test::OfHalf(HalfOf(other));
      for (const char* name : {"Subs", "Divs"}) {
        Call call(name);
        call.Operand(kDst, LANEDIFF_HALF, 0).Operand(kSrc, LANEDIFF_HALF, 0);
        call.Count(std::ssize(all)).Saturation(false);
        call.Scalar(LANEDIFF_HALF, HalfOf(other)).Put(0, all).Run();
        const auto found = call.Get<std::uint16_t>(0, std::ssize(all));
        for (std::size_t i = 0; i < all.size(); ++i) {
          const double a = test::OfHalf(all[i]);
          // A quotient in double is rounded twice; 53 bits suffice for 11.
          const double exact = *name == 'S' ? a - b : a / b;
          const std::uint16_t expected =
              std::isnan(exact) ? std::uint16_t{0x7e00} : HalfOf(exact);
          ASSERT_EQ(found[i], expected) << name << " " << a << " " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lanediff::kernel

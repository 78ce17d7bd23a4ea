// Which lanes a call takes, where they are, and what is out of range.

#include <bit>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

// ---- Lanes ------------------------------------------------------------------

TEST(Lanes, CountFormIsOneRunOfEachOperand) {
  Call call = Unary("Adds", LANEDIFF_FLOAT);
  call.Count(4096).Scalar(LANEDIFF_FLOAT, FloatBits(1));
  EXPECT_EQ(call.Touched(), "0 src 0+16384 dst=8192+16384");
  EXPECT_EQ(call.Plan()->mask,
            (isa::CarriedMask{.leaves = test::kAllLanes, .sets_normal = true}));
  EXPECT_EQ(call.Plan()->pipe, isa::Pipe::kV);
}

TEST(Lanes, NoElementTouchesNothingAndLeavesTheMask) {
  Call call = Unary("Exp", LANEDIFF_HALF);
  call.Count(0);
  EXPECT_EQ(call.Touched(), "");
  EXPECT_EQ(call.Plan()->mask.leaves, std::nullopt);
  Call masked = Unary("Exp", LANEDIFF_HALF);
  masked.Mask(128, 0);
  EXPECT_EQ(masked.Touched(), "");
  EXPECT_EQ(masked.Plan()->mask.leaves, test::kAllLanes);
}

TEST(Lanes, AMaskTakesTheFirstLanesOfEachIteration) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(10, 2);
  call.Strides({1, 1, 8, 8});
  EXPECT_EQ(call.Touched(), "0 src 0+40 dst=8192+40; 1 src 256+40 dst=8448+40");
  EXPECT_EQ(call.Plan()->mask,
            (isa::CarriedMask{.masked = true, .leaves = {{0x3ff, 0}}}));
}

TEST(Lanes, WithoutSetMaskTheRegisterSelects) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(0, 1).NoSetMask();
  call.Strides({1, 1, 8, 8});
  call.call.state.mask_low = 0xf0;
  call.call.state.mask_high = 0xff;  // no lanes of 32 bits
  EXPECT_EQ(call.Touched(), "0 src 16+16 dst=8208+16");
  EXPECT_FALSE(call.Plan()->mask.is_set_mask);
  EXPECT_EQ(call.Plan()->mask.leaves, std::nullopt);
}

TEST(Lanes, CounterModeCountsElementsAndIgnoresRepeat) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(130, 1).Counter(7);
  call.Strides({1, 1, 8, 8});
  EXPECT_EQ(call.Touched(),
            "0 src 0+256 dst=8192+256; 1 src 256+256 dst=8448+256; "
            "2 src 512+8 dst=8704+8");
  EXPECT_EQ(call.OutOfRange(), "") << "a number of elements, not of lanes";
  EXPECT_EQ(call.Plan()->mask.leaves->front(), 130u);
  call.NoSetMask();
  EXPECT_EQ(call.Touched(), "0 src 0+28 dst=8192+28") << "the register's";
}

TEST(Lanes, ACountFormWithoutSetMaskGoesByTheRegister) {
  Call call = Unary("Adds", LANEDIFF_FLOAT);
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
  call.Scalar(LANEDIFF_HALF, test::HalfOf(2)).Mask(64, 2);
  call.Strides({1, 1, 8, 4});
  EXPECT_EQ(call.Touched(),
            "0 src 0+128 dst 8192+256 dst=8192+256; "
            "1 src 128+128 dst 8448+256 dst=8448+256");
  EXPECT_EQ(call.OutOfRange(), "");
  call.Put(0, Halves({1, 65504, 0.5})).Put<float>(8192, {1, 2, 3}).Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (std::vector<float>{3, 131010, 4}));
  EXPECT_EQ(call.Mask(65, 2).OutOfRange(), "mask");
}

// ---- Ranges and refusals ----------------------------------------------------

TEST(Ranges, FewIterationsOfARejectedCallAreListed) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(0, 1).NoSetMask().Counter(~std::uint64_t{0});
  call.Strides({1, 0, 0, 0});
  EXPECT_EQ(call.OutOfRange(), "maskRegister");
  EXPECT_TRUE(call.Plan()->cut);
  EXPECT_LE(call.Plan()->reads.size(), 8u * 256);
  Call allowed = Unary("Abs", LANEDIFF_FLOAT);
  allowed.Mask(0, 1).NoSetMask().Counter(64 * 300);
  allowed.Strides({1, 1, 0, 0});
  EXPECT_EQ(allowed.Plan()->reads.size(), 300u);
}

TEST(Ranges, OfAMaskThatHasNoEffect) {
  EXPECT_EQ(Unary("Abs", LANEDIFF_FLOAT).Mask(65, 1).OutOfRange(), "mask");
  EXPECT_EQ(Unary("Abs", LANEDIFF_FLOAT).Mask(65, 1).NoSetMask().OutOfRange(),
            "")
      << "a placeholder";
}

TEST(Ranges, OutsideOfThemTheNearestEndIsTouched) {
  Call call = Unary("Duplicate", LANEDIFF_HALF);
  call.call.operands.pop_back();
  call.Scalar(LANEDIFF_HALF, 0).Mask(128, 1);
  call.Numbers({"dstBlockStride", "dstRepeatStride"}, {65536, 8});
  EXPECT_EQ(call.OutOfRange(), "dstBlockStride");
  EXPECT_EQ(call.Plan()->writes[1].at, 8192 + 65535 * 32);
}

/// "src 2 is negative" of the elements whose result is open.
std::string OpenOf(const char* name, std::uint8_t dtype,
                   const std::vector<double>& values) {
  Call call(name);
  call.Operand(kDst, dtype, 8192).Operand(kSrc, dtype, 64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (dtype == LANEDIFF_HALF) {
      call.Put(64 + 2 * at, Halves({values[i]}));
    } else {
      call.Put(64 + 4 * at, std::vector<float>{static_cast<float>(values[i])});
    }
  }
  call.Count(static_cast<std::int64_t>(values.size()));
  std::string text;
  const auto plan = call.Plan();
  for (const auto& one : plan->contents) {
    EXPECT_TRUE(one.open);
    text += std::string(isa::Name(one.operand)) + " " + one.text;
  }
  return text;
}

TEST(Contents, OfWhatHasNoDeterminedResult) {
  for (const std::uint8_t dtype : {LANEDIFF_HALF, LANEDIFF_FLOAT}) {
    EXPECT_EQ(OpenOf("Rsqrt", dtype, {1, 2, 3}), "");
    EXPECT_EQ(OpenOf("Rsqrt", dtype, {1, 2, 0}), "src element 2 is 0");
    EXPECT_EQ(OpenOf("Rsqrt", dtype, {1, -2, 0}), "src element 1 is negative");
    EXPECT_EQ(OpenOf("Reciprocal", dtype, {-1, 2}), "");
    EXPECT_EQ(OpenOf("Reciprocal", dtype, {-1, 2, -0.0}), "src element 2 is 0");
    EXPECT_EQ(OpenOf("Sqrt", dtype, {0}), "");
  }
  Call end = Unary("Rsqrt", LANEDIFF_FLOAT);
  end.call.operands[1].readable = 7;
  end.Put<float>(0, {1, -1}).Count(2);
  EXPECT_TRUE(end.Plan()->contents.empty()) << "what may be read of it";
  end.call.operands[1].readable = 8;
  EXPECT_EQ(end.Plan()->contents.size(), 1U);
}

TEST(Refusals, NameTheTypes) {
  EXPECT_EQ(Unary("Abs", LANEDIFF_INT8).Count(1).Refused(), "Abs of int8_t");
  EXPECT_EQ(Unary("And", LANEDIFF_HALF).Count(1).Refused(), "And without src0");
  EXPECT_EQ(Binary("And", LANEDIFF_HALF).Count(1).Refused(), "And of half");
  EXPECT_EQ(
      Unary("Adds", LANEDIFF_HALF).Scalar(LANEDIFF_FLOAT, 0).Count(1).Refused(),
      "Adds of half with a scalar of float");
  Call mixed("MulAddDst");
  mixed.Operand(kDst, LANEDIFF_HALF, 0)
      .Operand(kSrc0, LANEDIFF_FLOAT, 0)
      .Operand(kSrc1, LANEDIFF_FLOAT, 0);
  EXPECT_EQ(mixed.Count(1).Refused(), "MulAddDst from float to half");
  EXPECT_EQ(Call("Broadcast").Refused(), "Broadcast is no known call");
  EXPECT_FALSE(IsCarried("Min")) << "it is audited";
  EXPECT_TRUE(IsCarried("Adds"));
}

}  // namespace
}  // namespace lanediff::kernel

// Which lanes a call takes, where they are, and what is out of range.

#include <gtest/gtest.h>

#include <bit>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::OperandName;
using test::Call;
using test::Halves;
using Leaves = CarriedPlan::Leaves;
using enum OperandName;

Call Unary(const char* name, std::uint8_t dtype) {
  Call call(name);
  call.Operand(kDst, dtype, 8192).Operand(kSrc, dtype, 0);
  return call;
}
Call Binary(const char* name, std::uint8_t dtype) {
  Call call(name);
  call.Operand(kDst, dtype, 8192)
      .Operand(kSrc0, dtype, 0)
      .Operand(kSrc1, dtype, 4096);
  return call;
}
Call& Strides(Call& call, std::initializer_list<std::int64_t> strides) {
  return call.Numbers(
      {"dstBlkStride", "srcBlkStride", "dstRepStride", "srcRepStride"},
      strides);
}
std::uint64_t FloatBits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// ---- Lanes ------------------------------------------------------------------

TEST(Lanes, CountFormIsOneRunOfEachOperand) {
  Call call = Unary("Adds", LANEDIFF_FLOAT);
  call.Count(4096).Scalar(LANEDIFF_FLOAT, FloatBits(1));
  EXPECT_EQ(call.Touched(), "0 src 0+16384 dst=8192+16384");
  EXPECT_EQ(call.Plan()->leaves, Leaves::kNormalAllOnes);
  EXPECT_FALSE(call.Plan()->masked);
  EXPECT_EQ(call.Plan()->pipe, isa::Pipe::kV);
}

TEST(Lanes, NoElementTouchesNothingAndLeavesTheMask) {
  Call call = Unary("Exp", LANEDIFF_HALF);
  call.Count(0);
  EXPECT_EQ(call.Touched(), "");
  EXPECT_EQ(call.Plan()->leaves, Leaves::kUnchanged);
  Call masked = Unary("Exp", LANEDIFF_HALF);
  masked.Mask(128, 0);
  EXPECT_EQ(masked.Touched(), "");
  EXPECT_EQ(masked.Plan()->leaves, Leaves::kOwnMask);
}

TEST(Lanes, AMaskTakesTheFirstLanesOfEachIteration) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(10, 2);
  Strides(call, {1, 1, 8, 8});
  EXPECT_EQ(call.Touched(), "0 src 0+40 dst=8192+40; 1 src 256+40 dst=8448+40");
  EXPECT_EQ(call.Plan()->mask_low, 0x3ffu);
  EXPECT_EQ(call.Plan()->mask_high, 0u);
  EXPECT_TRUE(call.Plan()->masked);
  EXPECT_FALSE(call.Plan()->reads_register);
}

TEST(Lanes, StridesCountBlocksOf32Bytes) {
  // 20 floats are two blocks and half of one; blocks of the source two apart.
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(20, 2);
  Strides(call, {1, 2, 4, 1});
  EXPECT_EQ(call.Touched(),
            "0 src 0+32 src 64+32 src 128+16 dst=8192+80; "
            "1 src 32+32 src 96+32 src 160+16 dst=8320+80");
}

TEST(Lanes, BitsAreLanes) {
  // Lanes 1, 2 and 64 of 128 halves.
  Call call = Unary("Not", LANEDIFF_INT16);
  call.MaskBits(6, 1, 1);
  Strides(call, {1, 1, 8, 8});
  EXPECT_EQ(call.Touched(), "0 src 2+4 src 128+2 dst=8194+4 dst=8320+2");
  call.Put<std::int16_t>(0, {0, 1, -3, 4}).Run();
  EXPECT_EQ(call.Get<std::int16_t>(8192, 4),
            (std::vector<std::int16_t>{0, -2, 2, 0}));
}

TEST(Lanes, WithoutSetMaskTheRegisterSelects) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(0, 1).NoSetMask();
  Strides(call, {1, 1, 8, 8});
  call.call.state.mask_low = 0xf0;
  call.call.state.mask_high = 0xff;  // no lanes of 32 bits
  EXPECT_EQ(call.Touched(), "0 src 16+16 dst=8208+16");
  EXPECT_TRUE(call.Plan()->reads_register);
  EXPECT_EQ(call.Plan()->leaves, Leaves::kUnchanged);
}

TEST(Lanes, CounterModeCountsElementsAndIgnoresRepeat) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(130, 1).Counter(7);
  Strides(call, {1, 1, 8, 8});
  EXPECT_EQ(call.Touched(),
            "0 src 0+256 dst=8192+256; 1 src 256+256 dst=8448+256; "
            "2 src 512+8 dst=8704+8");
  EXPECT_EQ(call.OutOfRange(), "") << "a number of elements, not of lanes";
  EXPECT_EQ(call.Plan()->mask_low, 130u);
  call.NoSetMask();
  EXPECT_EQ(call.Touched(), "0 src 0+28 dst=8192+28") << "the register's";
}

TEST(Lanes, ACountFormWithoutSetMaskGoesByTheRegister) {
  Call call = Unary("Adds", LANEDIFF_FLOAT);
  call.Count(1).Scalar(LANEDIFF_FLOAT, 0).NoSetMask().Counter(100);
  EXPECT_EQ(call.Touched(), "0 src 0+400 dst=8192+400");
  EXPECT_TRUE(call.Plan()->reads_register);
  call.call.state = VectorState();
  call.call.state.mask_low = 3;
  call.call.state.mask_high = 0;
  EXPECT_EQ(call.Touched(), "0 src 0+8 dst=8192+8");
}

TEST(Lanes, OperandsOfTwoWidthsHaveTheLanesOfTheWider) {
  Call call("Axpy");
  call.Operand(kDst, LANEDIFF_FLOAT, 8192).Operand(kSrc, LANEDIFF_HALF, 0);
  call.Scalar(LANEDIFF_HALF, test::HalfOf(2)).Mask(64, 2);
  Strides(call, {1, 1, 8, 4});
  EXPECT_EQ(call.Touched(),
            "0 src 0+128 dst 8192+256 dst=8192+256; "
            "1 src 128+128 dst 8448+256 dst=8448+256");
  EXPECT_EQ(call.OutOfRange(), "");
  call.Put(0, Halves({1, 65504, 0.5})).Put<float>(8192, {1, 2, 3}).Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (std::vector<float>{3, 131010, 4}));
  EXPECT_EQ(call.Mask(65, 2).OutOfRange(), "mask");
}

// ---- Ranges and refusals ----------------------------------------------------

TEST(Ranges, OfThePage) {
  for (const std::int64_t bad : {-1, 256}) {
    Call call = Unary("Abs", LANEDIFF_FLOAT);
    call.Mask(64, bad);
    Strides(call, {1, bad, bad, bad});
    EXPECT_EQ(call.OutOfRange(),
              "repeatTime srcBlkStride dstRepStride srcRepStride");
  }
  Call zero = Unary("Abs", LANEDIFF_FLOAT);
  zero.Mask(64, 255);
  Strides(zero, {0, 0, 255, 255});
  EXPECT_EQ(zero.OutOfRange(), "dstBlkStride");
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  EXPECT_EQ(call.Count(-1).OutOfRange(), "count");
  EXPECT_EQ(call.Touched(), "");
}

TEST(Ranges, FewIterationsOfARejectedCallAreListed) {
  Call call = Unary("Abs", LANEDIFF_FLOAT);
  call.Mask(0, 1).NoSetMask().Counter(~std::uint64_t{0});
  Strides(call, {1, 0, 0, 0});
  EXPECT_EQ(call.OutOfRange(), "maskRegister");
  EXPECT_TRUE(call.Plan()->cut);
  EXPECT_LE(call.Plan()->reads.size(), 8u * 256);
  Call allowed = Unary("Abs", LANEDIFF_FLOAT);
  allowed.Mask(0, 1).NoSetMask().Counter(64 * 300);
  Strides(allowed, {1, 1, 0, 0});
  EXPECT_EQ(allowed.Plan()->reads.size(), 300u);
}

TEST(Ranges, OfMasksByWidth) {
  EXPECT_EQ(Unary("Abs", LANEDIFF_FLOAT).Mask(65, 1).OutOfRange(), "mask");
  EXPECT_EQ(Unary("Abs", LANEDIFF_HALF).Mask(128, 1).OutOfRange(), "");
  EXPECT_EQ(Unary("Abs", LANEDIFF_HALF).Mask(129, 1).OutOfRange(), "mask");
  EXPECT_EQ(Unary("Abs", LANEDIFF_FLOAT).MaskBits(1, 1, 1).OutOfRange(),
            "maskHigh");
  EXPECT_EQ(Unary("Abs", LANEDIFF_HALF).MaskBits(~0ull, ~0ull, 1).OutOfRange(),
            "");
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

TEST(Ranges, OfShifts) {
  Call call = Unary("ShiftLeft", LANEDIFF_INT16);
  call.Count(1).Scalar(LANEDIFF_INT16, 16);
  EXPECT_EQ(call.OutOfRange(), "");
  EXPECT_EQ(call.Scalar(LANEDIFF_INT16, 17).OutOfRange(), "scalarValue");
  EXPECT_EQ(call.Scalar(LANEDIFF_INT16, 0xffff).OutOfRange(), "scalarValue");
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

// Compare and its kin: a bit for each lane.

#include <gtest/gtest.h>

#include <limits>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;
using test::Call;
using test::Halves;
using enum isa::OperandName;
using Bytes = std::vector<std::uint8_t>;
using Floats = std::vector<float>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Call Comparing(const char* mode, std::uint8_t dtype = LANEDIFF_FLOAT) {
  Call call("Compare");
  call.Operand(kDst, LANEDIFF_UINT8, 8192)
      .Operand(kSrc0, dtype, 0)
      .Operand(kSrc1, dtype, 4096);
  call.Word("cmpMode", mode);
  return call;
}
void Strides(Call& call, std::initializer_list<std::int64_t> strides) {
  call.Numbers({"dstBlkStride", "src0BlkStride", "src1BlkStride",
                "dstRepStride", "src0RepStride", "src1RepStride"},
               strides);
}

TEST(Compare, TheFirstLaneIsTheLowestBit) {
  const Floats a = {2, 3, 5, 7, 11, 13, 17, 19};
  const Floats b = {2, 4, 6, 8, 10, 12, 14, 16};
  const auto one = [&](const char* mode) {
    Call call = Comparing(mode);
    call.Count(64).Put(0, a).Put(4096, b).Run();
    return call.Get<std::uint8_t>(8192);
  };
  EXPECT_EQ(one("GT"), 0b11110000);
  EXPECT_EQ(one("GE"), 0b11110001);
  EXPECT_EQ(one("LE"), 0b00001111);
  EXPECT_EQ(one("LT"), 0b00001110);
  EXPECT_EQ(one("EQ"), 0b00000001);
  EXPECT_EQ(one("NE"), 0b11111110);
}

TEST(Compare, NothingIsUnequalToANan) {
  const Floats a = {kNan, 1, 0.0f, kInf, kNan};
  const Floats b = {1, kNan, -0.0f, kInf, kNan};
  for (const char* mode : {"NE", "LT", "GT"}) {
    Call call = Comparing(mode);
    call.Count(64).Put(0, a).Put(4096, b).Run();
    EXPECT_EQ(call.Get<std::uint8_t>(8192), 0) << mode;
  }
  Call call = Comparing("EQ");
  call.Count(64).Put(0, a).Put(4096, b).Run();
  EXPECT_EQ(call.Get<std::uint8_t>(8192), 0b11101100) << "the last are zeros";
}

TEST(Compare, CountTakesWholeIterations) {
  Call call = Comparing("LT");
  call.Count(130);
  EXPECT_EQ(call.Touched(), "0 src0 0+512 src1 4096+512 dst=8192+16");
  EXPECT_EQ(call.OutOfRange(), "count % 64");
  call.On(Product::kAtlas200i500A2);
  EXPECT_EQ(call.OutOfRange(), "count % 64");
  Call whole = Comparing("LT");
  EXPECT_EQ(whole.Count(128).OutOfRange(), "");
  Call little = Comparing("LT");
  EXPECT_EQ(little.Count(63).Touched(), "");
}

TEST(Compare, ResultsLieOneBehindTheOther) {
  Call call = Comparing("LT", LANEDIFF_HALF);
  call.Mask(16, 2);
  Strides(call, {1, 1, 1, 8, 8, 8});
  EXPECT_EQ(call.Touched(),
            "0 src0 0+256 src1 4096+256 dst=8192+16; "
            "1 src0 256+256 src1 4352+256 dst=8208+16")
      << "the mask has no effect";
  EXPECT_FALSE(call.Plan()->masked);
  EXPECT_EQ(call.Plan()->mask_low, 0xffffu);
  call.On(Product::kAtlas200i500A2);
  EXPECT_EQ(call.Touched(),
            "0 src0 0+32 src1 4096+32 dst=8192+16; "
            "1 src0 256+32 src1 4352+32 dst=8208+16");
}

TEST(Compare, WithAMaskWhereItCounts) {
  // The page's example: LE, mask 0x33333333.
  Call call = Comparing("LE");
  call.On(Product::kAtlas200i500A2).MaskBits(0x33333333, 0, 1);
  Strides(call, {1, 1, 1, 1, 8, 8});
  call.Run();
  EXPECT_EQ(call.Get<std::uint8_t>(8192, 8),
            (Bytes{0x33, 0x33, 0x33, 0x33, 0, 0, 0, 0}));
}

TEST(Compare, IntoTheRegister) {
  Call call("Compare");
  call.Operand(kSrc0, LANEDIFF_FLOAT, 0).Operand(kSrc1, LANEDIFF_FLOAT, 4096);
  call.Word("cmpMode", "LT").Mask(3, 1);
  Strides(call, {1, 1, 1, 8, 8, 8});
  EXPECT_EQ(call.Touched(), "0 src0 0+12 src1 4096+12");
  EXPECT_TRUE(call.Plan()->masked);
  call.call.state.compare_mask[0] = 0xff;
  call.call.state.compare_mask[1] = 5;
  call.Put<float>(0, {1, 2, 3}).Put<float>(4096, {2, 2, 4}).Run();
  EXPECT_EQ(call.call.state.compare_mask[0], 0xfdu);
  EXPECT_EQ(call.call.state.compare_mask[1], 5u);
  Call get("GetCmpMask");
  get.Operand(kDst, LANEDIFF_UINT64, 64);
  get.call.state.compare_mask[1] = 7;
  EXPECT_EQ(get.Touched(), "0 dst=64+16");
  EXPECT_EQ(get.Plan()->align[0], 16);
  get.Run();
  EXPECT_EQ(get.Get<std::uint64_t>(72), 7u);
  Call set("SetCmpMask");
  set.Operand(kSrc, LANEDIFF_UINT64, 64).Put<std::uint64_t>(64, {1, 2});
  EXPECT_EQ(set.Touched(), "0 src 64+16");
  set.Run();
  EXPECT_EQ(set.call.state.compare_mask[1], 2u);
}

TEST(Compare, AgainstAScalar) {
  for (const char* name : {"Compares", "CompareScalar"}) {
    Call call(name);
    call.Operand(kDst, LANEDIFF_UINT8, 8192).Operand(kSrc0, LANEDIFF_HALF, 0);
    call.Word("cmpMode", "GE").Scalar(LANEDIFF_HALF, test::HalfOf(2));
    call.Count(128).Put(0, Halves({1, 2, 3})).Run();
    EXPECT_EQ(call.Get<std::uint8_t>(8192), 0b110) << name;
  }
}

TEST(Compare, TypesAndModes) {
  EXPECT_EQ(Comparing("LT", LANEDIFF_INT32).Count(64).Refused(),
            "Compare of int32_t with LT");
  EXPECT_EQ(Comparing("EQ", LANEDIFF_INT32).Count(64).Refused(), "");
  EXPECT_EQ(Comparing("??").Count(64).Refused(), "Compare of float with ??");
  EXPECT_EQ(Comparing("EQ", LANEDIFF_INT16).Count(64).Refused(),
            "Compare of int16_t with EQ");
  Call call("Compares");
  call.Operand(kDst, LANEDIFF_UINT8, 8192).Operand(kSrc0, LANEDIFF_INT16, 0);
  call.Word("cmpMode", "LT").Scalar(LANEDIFF_INT16, 0).Count(128);
  EXPECT_EQ(call.Refused(), "Compares of int16_t with LT");
  EXPECT_EQ(call.On(Product::kAtlas200i500A2).Refused(), "");
}

}  // namespace
}  // namespace lanediff::kernel

// Compare and its kin: a bit for each lane. Select, GatherMask: what bits pick.

#include <bit>
#include <limits>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using Bytes = std::vector<std::uint8_t>;
using isa::Product;

TEST(Compare, IntoTheRegister) {
  Call call = Of("Compare", LANEDIFF_FLOAT, {kSrc0, kSrc1});
  call.Word("cmpMode", "LT").Mask(3, 1);
  call.Strides({1, 1, 1, 8, 8, 8});
  EXPECT_EQ(call.Touched(), "0 src0 0+12 src1 4096+12");
  EXPECT_TRUE(call.Plan()->mask.masked);
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

TEST(Compare, TypesAndModes) {
  const auto refused = [](const char* mode, std::uint8_t dtype) {
    Call call = Of("Compare", dtype, {kSrc0, kSrc1});
    call.Word("cmpMode", mode).Mask(3, 1);
    return call.Refused();
  };
  EXPECT_EQ(refused("EQ", LANEDIFF_INT32), "Compare of int32_t with EQ");
  EXPECT_EQ(refused("??", LANEDIFF_FLOAT), "Compare of float with ??");
  EXPECT_EQ(refused("NE", LANEDIFF_FLOAT), "");
}

// ---- Select -----------------------------------------------------------------

Call Selecting(const char* mode, bool tensor = true) {
  Call call = Of("Select", LANEDIFF_FLOAT, {kDst, kMask, kSrc0});
  if (tensor) call.Operand(kSrc1, LANEDIFF_FLOAT, 4096);
  call.Word("selMode", mode);
  return call;
}
Floats Ramp(float from, std::size_t count) {
  Floats ramp(count);
  std::iota(ramp.begin(), ramp.end(), from);
  return ramp;
}

TEST(Select, ModeZeroTakesTheSameBitsAgain) {
  Call call = Selecting("VSEL_CMPMASK_SPR");
  call.Count(130);
  EXPECT_EQ(call.Touched(),
            "0 mask 16384+8 src0 0+520 src1 4096+520 dst=8192+520");
  call.Put(0, Ramp(1, 130)).Put(4096, Ramp(1001, 130));
  call.Put<std::uint8_t>(16384, {1, 0, 0, 0, 0, 0, 0, 0, 0xff}).Run();
  const Floats out = call.Get<float>(8192, 130);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 1002);
  EXPECT_EQ(out[64], 65);
  EXPECT_EQ(out[65], 1066);
  EXPECT_EQ(out[128], 129);
}

TEST(Select, TheMasksBytesAreThoseOfItsBits) {
  const auto mask = [](const char* mode, std::int64_t count) {
    Call call = Selecting(mode);
    call.Count(count);
    const std::string touched = call.Touched();
    return touched.substr(0, touched.find(" src0"));
  };
  for (const char* mode : {"VSEL_CMPMASK_SPR", "VSEL_TENSOR_TENSOR_MODE"}) {
    EXPECT_EQ(mask(mode, 1), "0 mask 16384+1");
    EXPECT_EQ(mask(mode, 8), "0 mask 16384+1");
    EXPECT_EQ(mask(mode, 9), "0 mask 16384+2");
    EXPECT_EQ(mask(mode, 64), "0 mask 16384+8");
  }
  EXPECT_EQ(mask("VSEL_CMPMASK_SPR", 65), "0 mask 16384+8");
  EXPECT_EQ(mask("VSEL_TENSOR_TENSOR_MODE", 65), "0 mask 16384+9");
  // In the last byte of the memory, and only there.
  Call call("Select");
  call.Operand(kDst, LANEDIFF_FLOAT, 8192)
      .Operand(kMask, LANEDIFF_UINT8, 65535)
      .Operand(kSrc0, LANEDIFF_FLOAT, 0)
      .Operand(kSrc1, LANEDIFF_FLOAT, 4096);
  call.Word("selMode", "VSEL_TENSOR_TENSOR_MODE").Count(8);
  EXPECT_EQ(call.Touched().substr(0, 14), "0 mask 65535+1");
  call.Put(0, Ramp(1, 8)).Put(4096, Ramp(1001, 8));
  call.Put<std::uint8_t>(65535, {0xa1}).Run();
  EXPECT_EQ(call.Get<float>(8192, 8),
            (Floats{1, 1002, 1003, 1004, 1005, 6, 1007, 8}));
}

TEST(Select, ModeTwoGoesOnThroughItsBits) {
  Call call = Selecting("VSEL_TENSOR_TENSOR_MODE");
  call.Mask(64, 2);
  call.Strides({1, 1, 1, 8, 8, 8});
  EXPECT_EQ(call.Touched(),
            "0 mask 16384+8 src0 0+256 src1 4096+256 dst=8192+256; "
            "1 mask 16392+8 src0 256+256 src1 4352+256 dst=8448+256");
  call.Put(0, Ramp(1, 128)).Put(4096, Ramp(1001, 128));
  call.Put<std::uint8_t>(16384, {1, 0, 0, 0, 0, 0, 0, 0, 2}).Run();
  const Floats out = call.Get<float>(8192, 128);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 1002);
  EXPECT_EQ(out[64], 1065);
  EXPECT_EQ(out[65], 66);
}

TEST(Select, ModeOneTakesAScalarAndKeepsWhatIsMaskedOut) {
  Call call = Selecting("VSEL_TENSOR_SCALAR_MODE", false);
  call.Scalar(LANEDIFF_FLOAT, std::bit_cast<std::uint32_t>(-5.0f));
  call.MaskBits(0b101, 0, 1);
  call.Strides({1, 1, 1, 8, 8, 8});
  EXPECT_EQ(call.Touched(),
            "0 mask 16384+8 src0 0+4 src0 8+4 dst=8192+4 dst=8200+4");
  call.Put(0, Ramp(1, 3)).Put<float>(8192, {9, 9, 9});
  call.Put<std::uint8_t>(16384, {1}).Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (Floats{1, 9, -5}));
}

TEST(Select, WithoutAMaskTheRegistersSay) {
  Call call = Binary("Select", LANEDIFF_FLOAT);
  call.Word("selMode", "VSEL_CMPMASK_SPR").Number("repeatTime", 1);
  call.Strides({1, 1, 1, 8, 8, 8});
  call.call.state.mask_low = 3;
  call.call.state.mask_high = 0;
  call.call.state.compare_mask[0] = 2;
  EXPECT_EQ(call.Touched(), "0 src0 0+8 src1 4096+8 dst=8192+8");
  EXPECT_FALSE(call.Plan()->mask.is_set_mask);
  call.Put<float>(0, {1, 2}).Put<float>(4096, {3, 4}).Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (Floats{3, 2, 0}));
}

TEST(Select, TakesElementsOfBothWidths) {
  const auto select = []<class T>(T, std::uint8_t dtype, const char* mode) {
    Call call = Of("Select", dtype, {kDst, kMask, kSrc0, kSrc1});
    call.Word("selMode", mode).Scalar(dtype, 0x7001).Count(5);
    call.Put(0, std::vector<T>{1, 2, 3, 4, 5});
    call.Put(4096, std::vector<T>{11, 12, 13, 14, 15});
    call.Put(8192, std::vector<T>{9, 9, 9, 9, 9, 9});
    call.Put<std::uint8_t>(16384, {0x16});
    EXPECT_EQ(call.Run(), 0U);
    return call.Get<T>(8192, 6);
  };
  const auto both = [&]<class T>(T type, std::uint8_t dtype) {
    const std::vector<T> tensors = {11, 2, 3, 14, 5, 9};
    EXPECT_EQ(select(type, dtype, "VSEL_CMPMASK_SPR"), tensors);
    EXPECT_EQ(select(type, dtype, "VSEL_TENSOR_TENSOR_MODE"), tensors);
    EXPECT_EQ(select(type, dtype, "VSEL_TENSOR_SCALAR_MODE"),
              (std::vector<T>{0x7001, 2, 3, 0x7001, 5, 9}));
  };
  both(std::uint16_t{}, LANEDIFF_HALF);
  both(std::uint32_t{}, LANEDIFF_FLOAT);
}

TEST(Select, Refusals) {
  EXPECT_EQ(Selecting("VSEL_TENSOR_TENSOR_MODE")
                .Count(1)
                .On(Product::kAtlasTraining)
                .Refused(),
            "Select with VSEL_TENSOR_TENSOR_MODE on atlas-training");
  EXPECT_EQ(Selecting("VSEL").Count(1).Refused(), "Select with VSEL");
  Call call("Select");
  call.Operand(kDst, LANEDIFF_INT32, 0).Operand(kSrc0, LANEDIFF_INT32, 0);
  call.Operand(kSrc1, LANEDIFF_INT32, 0).Word("selMode", "VSEL_CMPMASK_SPR");
  EXPECT_EQ(call.Refused(), "Select of int32_t");
}

// ---- GatherMask -------------------------------------------------------------

Call Gathering(std::int64_t pattern, bool counter, std::int64_t mask,
               std::initializer_list<std::int64_t> numbers) {
  Call call = Of("GatherMask", LANEDIFF_FLOAT, {kDst, kSrc0});
  if (pattern > 0) call.Number("src1Pattern", pattern);
  call.Number("reduceMode", counter).Number("mask", mask);
  call.Numbers({"src0BlockStride", "repeatTimes", "src0RepeatStride",
                "src1RepeatStride"},
               numbers);
  return call;
}

TEST(GatherMask, BuiltInPatterns) {
  const std::vector<Floats> firsts = {{1, 3, 5},  {2, 4, 6},  {1, 5, 9},
                                      {2, 6, 10}, {3, 7, 11}, {4, 8, 12},
                                      {1, 2, 3}};
  const std::vector<std::uint64_t> counts = {64, 64, 32, 32, 32, 32, 128};
  for (std::size_t i = 0; i < 7; ++i) {
    Call call =
        Gathering(static_cast<std::int64_t>(i) + 1, false, 0, {1, 2, 8, 0});
    call.Put(0, Ramp(1, 128));
    EXPECT_EQ(call.Run(), counts[i]);
    EXPECT_EQ(call.Get<float>(8192, 3), firsts[i]);
  }
}

TEST(GatherMask, IterationsWriteOneBehindTheOther) {
  Call call = Gathering(2, false, 0, {1, 2, 16, 0});
  EXPECT_EQ(call.Touched(),
            "0 src0 0+256 dst=8192+128; 1 src0 512+256 dst=8320+128");
  EXPECT_EQ(call.Plan()->mask,
            (isa::CarriedMask{.leaves_unknown = true, .sets_normal = true}));
  call.Counter(64);
  EXPECT_EQ(call.Plan()->mask, isa::CarriedMask{.sets_normal = true})
      << "a caller in counter mode";
  // The page's example: in place, every second one of 256 numbers.
  Call in_place("GatherMask");
  in_place.Operand(kDst, LANEDIFF_FLOAT, 0).Operand(kSrc0, LANEDIFF_FLOAT, 0);
  in_place.Number("src1Pattern", 2).Number("reduceMode", 0).Number("mask", 0);
  in_place.Numbers({"src0BlockStride", "repeatTimes", "src0RepeatStride"},
                   {1, 4, 8});
  in_place.Put(0, Ramp(1, 256));
  EXPECT_EQ(in_place.Run(), 128u);
  EXPECT_EQ(in_place.Get<float>(0, 128)[127], 256);
}

TEST(GatherMask, StridesHaveOtherNames) {
  Call call = Of("GatherMask", LANEDIFF_FLOAT, {kDst, kSrc0});
  call.Operand(kSrc1, LANEDIFF_UINT32, 16384);
  call.Put<std::uint32_t>(16384, {0, 0}).Put<std::uint32_t>(16448, {0, 0});
  call.Numbers({"src0BlkStride", "src0RepStride", "src1RepStride", "repeat"},
               {1, 16, 2, 2});
  EXPECT_EQ(call.Touched(),
            "0 src0 0+256 src1 16384+8; 1 src0 512+256 src1 16448+8");
}

TEST(GatherMask, CounterModeTakesSoManyOfEachIteration) {
  Call call = Gathering(1, true, 70, {1, 2, 16, 0});
  EXPECT_EQ(call.Touched(),
            "0 src0 0+280 dst=8192+140; 1 src0 512+280 dst=8332+140");
  EXPECT_EQ(call.Run(), 70u);
  call.On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(call.Touched(),
            "0 src0 0+256 dst=8192+128; 1 src0 512+24 dst=8320+12")
      << "in all";
}

TEST(GatherMask, AnOwnPatternIsBits) {
  Call call = Gathering(0, true, 40, {1, 2, 8, 1});
  call.Operand(kSrc1, LANEDIFF_UINT32, 16384);
  call.Put<std::uint32_t>(16384, {0x99, 0x80});
  call.Put<std::uint32_t>(16416, {1}).Put(0, Ramp(1, 128));
  EXPECT_EQ(call.Touched(),
            "0 src0 0+160 src1 16384+5 dst=8192+20; "
            "1 src0 256+160 src1 16416+5 dst=8212+4");
  EXPECT_EQ(call.Run(), 6u);
  EXPECT_EQ(call.Get<float>(8192, 6), (Floats{1, 4, 5, 8, 40, 65}));
  Call other = Gathering(0, true, 40, {1, 1, 8, 1});
  other.Operand(kSrc1, LANEDIFF_UINT16, 16384);
  EXPECT_EQ(other.Refused(), "GatherMask of float with a pattern of uint16_t");
}

}  // namespace
}  // namespace lanediff::kernel

// Reductions: what they read, where a result goes, what it is.

#include <bit>
#include <limits>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;
using Bits = std::vector<std::uint16_t>;

Call Reducing(const char* name, std::uint8_t dtype = LANEDIFF_HALF) {
  return Unary(name, dtype);
}
Bits Filled(std::size_t count, double value) {
  return Bits(count, HalfOf(value));
}

TEST(WholeReduce, WritesValueAndIndexInTheElementsType) {
  Call call = Reducing("WholeReduceMax");
  call.Mask(128, 2).Strides({1, 1, 8});
  EXPECT_EQ(call.Touched(), "0 src 0+256 dst=8192+4; 1 src 256+256 dst=8196+4");
  EXPECT_EQ(call.Plan()->align[0], 4);
  EXPECT_FALSE(call.Plan()->approximate);
  Bits values = Filled(256, 1);
  values[52] = HalfOf(11);
  values[60] = HalfOf(11);
  values[128 + 100] = HalfOf(12);
  call.Put(0, values).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 4),
            (Bits{HalfOf(11), 52, HalfOf(12), 100}));
}

TEST(WholeReduce, Orders) {
  const auto run = [](const char* order, std::int64_t unit) {
    Call call = Reducing("WholeReduceMin");
    call.Mask(128, 2).Strides({1, 1, 8}).Word("order", order);
    EXPECT_EQ(call.Plan()->align[0], unit);
    EXPECT_EQ(call.Plan()->writes[1].at, 8192 + unit);
    Bits values = Filled(256, 5);
    values[3] = HalfOf(-2);
    call.Put(0, values).Run();
    return call.Get<std::uint16_t>(8192, 2);
  };
  EXPECT_EQ(run("ORDER_VALUE_INDEX", 4), (Bits{HalfOf(-2), 3}));
  EXPECT_EQ(run("ORDER_INDEX_VALUE", 4), (Bits{3, HalfOf(-2)}));
  EXPECT_EQ(run("ORDER_ONLY_VALUE", 2), (Bits{HalfOf(-2), HalfOf(5)}));
  EXPECT_EQ(run("ORDER_ONLY_INDEX", 4), (Bits{3, 0}));
  Call float_call = Reducing("WholeReduceMax", LANEDIFF_FLOAT);
  float_call.Mask(64, 1).Strides({1, 1, 8});
  EXPECT_EQ(float_call.Plan()->align[0], 8);
  Call bad = Reducing("WholeReduceMax");
  EXPECT_EQ(bad.Mask(1, 1).Word("order", "ORDER").Refused(),
            "WholeReduceMax with ORDER");
}

TEST(WholeReduce, LanesOfTheMaskAlone) {
  Call call = Reducing("WholeReduceMax", LANEDIFF_FLOAT);
  call.MaskBits(0b1010, 0, 1).Strides({1, 1, 8});
  EXPECT_EQ(call.Touched(), "0 src 4+4 src 12+4 dst=8192+8");
  call.Put<float>(0, {9, 1, 9, 3, 9}).Run();
  EXPECT_EQ(call.Get<float>(8192), 3);
  EXPECT_EQ(call.Get<std::uint32_t>(8196), 3u) << "counted with the others";
  Call none = Reducing("WholeReduceMax");
  EXPECT_EQ(none.MaskBits(0, 0, 1).Strides({1, 1, 8}).Touched(), "");
}

TEST(WholeReduce, SpecialValues) {
  const auto run = [](const char* name, double one, bool saturate) {
    Call call = Reducing(name);
    call.Mask(128, 1).Strides({1, 1, 8}).Saturation(saturate);
    Bits values = Filled(128, 1);
    values[5] = HalfOf(one);
    call.Put(0, values).Run();
    return call.Get<std::uint16_t>(8192);
  };
  EXPECT_EQ(run("WholeReduceMax", kInf, true), 0x7bff);
  EXPECT_EQ(run("WholeReduceMax", kInf, false), 0x7c00);
  EXPECT_EQ(run("WholeReduceMax", kNan, true), 0);
  EXPECT_EQ(run("WholeReduceMax", kNan, false), 0x7e00);
  EXPECT_EQ(run("WholeReduceMin", -kInf, true), 0xfbff);
  EXPECT_EQ(run("WholeReduceMin", kInf, true), HalfOf(1));
}

TEST(ReduceSum, LeavesItsResultInARegister) {
  Call read("GetReduceRepeatSumSpr");
  read.Scalar(LANEDIFF_FLOAT, 0);
  EXPECT_EQ(read.Refused(), "no ReduceSum of float with a count was before it");
  Call sum = Of("ReduceSum", LANEDIFF_FLOAT, {kDst, kSrc, kTmp});
  sum.Count(3).Put<float>(0, {1, 2, 4}).Run();
  read.call.state = sum.call.state;
  EXPECT_EQ(read.Run(), FloatBits(7));
  EXPECT_TRUE(read.Plan()->approximate) << "as sums are";
  read.Scalar(LANEDIFF_HALF, 0);
  EXPECT_EQ(read.Refused(), "no ReduceSum of half with a count was before it");
  Call masked = Of("ReduceSum", LANEDIFF_FLOAT, {kDst, kSrc, kTmp});
  masked.Mask(3, 1).Put<float>(0, {1, 2, 4}).Run();
  EXPECT_FALSE(masked.call.state.sum) << "the form with a count alone";
}

TEST(ReduceIterations, RefusesIntegers) {
  EXPECT_EQ(Reducing("WholeReduceMin", LANEDIFF_INT32).Mask(1, 1).Refused(),
            "WholeReduceMin of int32_t");
}

// ---- One result -------------------------------------------------------------

Call All(const char* name, std::uint8_t dtype = LANEDIFF_HALF) {
  return Of(name, dtype, {kDst, kSrc, kTmp});
}

TEST(ReduceAll, UsesTheTmpThatThePageReckons) {
  const auto tmp = [](auto&& call) { return call.Plan()->writes[0].bytes; };
  const auto masked = [](std::int64_t repeat, bool index,
                         std::uint8_t dtype = LANEDIFF_HALF) {
    Call call = All("ReduceMax", dtype);
    call.Mask(dtype == LANEDIFF_HALF ? 128 : 64, repeat)
        .Number("srcRepStride", 0)
        .Number("calIndex", index);
    return call;
  };
  // Its examples one, two, four and six, and five of a count.
  EXPECT_EQ(tmp(masked(65, true)), 352);
  EXPECT_EQ(tmp(masked(255, true)), 1088);
  EXPECT_EQ(tmp(masked(4, true)), 64);
  EXPECT_EQ(tmp(masked(130, true, LANEDIFF_FLOAT)), 1152);
  Call five = All("ReduceMax");
  EXPECT_EQ(tmp(five.Count(65408)), 2048);
}

TEST(ReduceAll, MaxAndItsIndex) {
  Call call = All("ReduceMax");
  call.Count(300).Number("calIndex", 1);
  EXPECT_EQ(call.Touched(), "0 src 0+600 tmp=16384+64 dst=8192+4");
  EXPECT_EQ(call.Plan()->mask, isa::CarriedMask{.leaves_unknown = true});
  EXPECT_EQ(call.Plan()->align[0], 4);
  Bits values = Filled(300, 1);
  values[290] = HalfOf(4);
  values[299] = HalfOf(4);
  call.Put(0, values).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 2), (Bits{HalfOf(4), 290}));
  Call value = All("ReduceMin", LANEDIFF_FLOAT);
  value.Mask(64, 3).Number("srcRepStride", 8);
  EXPECT_EQ(value.Plan()->writes[1].bytes, 4);
  EXPECT_EQ(value.Plan()->reads.size(), 3u);
  Floats floats(192, 5);
  floats[150] = -1;
  value.Put(0, floats).Run();
  EXPECT_EQ(value.Get<float>(8192), -1);
}

TEST(ReduceAll, EachRoundSaturates) {
  const auto run = [](const char* name, double one) {
    Call call = All(name);
    call.Count(256);
    Bits values = Filled(256, 1);
    values[5] = HalfOf(one);
    call.Put(0, values).Run();
    return call.Get<std::uint16_t>(8192);
  };
  EXPECT_EQ(run("ReduceMax", kNan), HalfOf(1)) << "表39";
  EXPECT_EQ(run("ReduceMin", kNan), 0) << "表40";
  EXPECT_EQ(run("ReduceMax", kInf), 0x7bff);
}

TEST(ReduceAll, SumNeedsNoTmpInTheCountFormOfA2) {
  Call call = All("ReduceSum");
  call.Count(288);
  EXPECT_EQ(call.Touched(), "0 src 0+576 dst=8192+2");
  EXPECT_TRUE(call.Plan()->approximate);
  call.Put(0, Filled(288, 1)).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192), HalfOf(288));
  call.On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(call.Touched(), "0 src 0+576 tmp=16384+32 dst=8192+2");
  Call masked = All("ReduceSum");
  masked.Mask(128, 65).Number("srcRepStride", 8).Put(0, Filled(8320, 1));
  EXPECT_EQ(masked.Plan()->writes[0].bytes, 160);
  masked.Run();
  // The source reaches to 16640 and lies under dst and tmp: what is read comes
  // first.
  EXPECT_EQ(masked.Get<std::uint16_t>(8192), HalfOf(8320));
}

TEST(ReduceAll, NothingOfNothing) {
  EXPECT_EQ(All("ReduceSum").Count(0).Touched(), "");
  EXPECT_EQ(All("ReduceMax").MaskBits(0, 0, 2).Touched(), "");
  EXPECT_EQ(All("ReduceMax").Mask(1, 0).Touched(), "");
}

}  // namespace
}  // namespace lanediff::kernel

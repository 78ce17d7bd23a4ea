// Reductions: what they read, where a result goes, what it is.

#include <bit>
#include <limits>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;
using Bits = std::vector<std::uint16_t>;

Bits Filled(std::size_t count, double value) {
  return Bits(count, HalfOf(value));
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

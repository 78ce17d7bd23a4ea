// Calls that move elements: by offsets, by their number.

#include <bit>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using Bits = std::vector<std::uint16_t>;
using Words = std::vector<std::uint32_t>;

Call Gathering(const char* name) {
  return Of(name, LANEDIFF_FLOAT, {kDst, kSrc, kOffset});
}

TEST(Gather, TakesBytesAtOffsets) {
  Call call = Gathering("Gather");
  call.Put<std::uint32_t>(4096, {8, 0, 4, 8}).Put<float>(4, {1, 2, 3});
  call.Number("srcBaseAddr", 4).Count(4);
  EXPECT_EQ(call.Touched(), "0 offset 4096+16 src 12+4 src 4+12 dst=8192+16");
  call.Run();
  EXPECT_EQ(call.Get<float>(8192, 4), (Floats{3, 1, 2, 3}));
}

TEST(Gather, OffsetsGoOnThroughIterations) {
  Call call = Gathering("Gather");
  call.Put<std::uint32_t>(4096 + 256, {12}).Put<float>(0, {5, 6, 7, 8});
  call.Mask(1, 2).Number("srcBaseAddr", 0).Number("dstRepStride", 1);
  EXPECT_EQ(call.Touched(),
            "0 offset 4096+4 src 0+4 dst=8192+4; "
            "1 offset 4352+4 src 12+4 dst=8224+4");
  call.Run();
  EXPECT_EQ(call.Get<float>(8192), 5);
  EXPECT_EQ(call.Get<float>(8224), 8);
}

TEST(Gather, OffsetsThatNothingHasWrittenCountAsZero) {
  Call call = Gathering("Gather");
  call.Put<std::uint32_t>(4096, {8, 0xa5a5a5a5, 0xa5a5a5a5});
  call.Put<float>(0, {1, 2, 3}).Count(3);
  call.call.operands[2].unwritten = {{4, 12}};
  EXPECT_EQ(call.Touched(),
            "0 offset 4096+12 src 8+4 src 0+4 src 0+4 dst=8192+12");
  EXPECT_TRUE(call.Plan()->contents.empty());
  call.Run();
  EXPECT_EQ(call.Get<float>(8192, 3), (Floats{3, 1, 1}));
}

TEST(Gather, OutsideOfTheWindow) {
  Call call = Gathering("Gather");
  call.Put<std::uint32_t>(4096, {1u << 20}).Count(1);
  EXPECT_EQ(call.Touched(), "0 offset 4096+4 src 1048576+4 dst=8192+4");
  Call ends = Gathering("Gather");
  ends.call.operands[2].window = ends.call.operands[2].readable = 4;
  ends.Put<std::uint32_t>(4096, {0, 12}).Count(2);
  EXPECT_EQ(ends.Touched(), "0 offset 4096+8 src 0+4 src 0+4 dst=8192+8")
      << "bytes behind the offsets' window are ignored";
  EXPECT_TRUE(ends.Plan()->cut);
  Call endless = Gathering("Gather");
  endless.Count(INT32_MAX);
  EXPECT_LT(endless.Plan()->reads.size(), 65536u / 4);
  Call before = Gathering("Gather");
  before.call.operands[2].readable = 0;
  EXPECT_EQ(before.Count(4).Touched(), "0 offset 4096+4 src 0+4 dst=8192+4")
      << "where offsets start outside of their memory nothing is read";
  Call bad("Gather");
  bad.Operand(kDst, LANEDIFF_FLOAT, 0).Operand(kSrc, LANEDIFF_FLOAT, 0);
  bad.Operand(kOffset, LANEDIFF_INT32, 0).Count(1);
  EXPECT_EQ(bad.Refused(), "Gather with offsets of int32_t");
}

TEST(Gatherb, TakesBlocks) {
  Call call = Of("Gatherb", LANEDIFF_UINT32, {kDst, kSrc0, kOffset});
  call.Put<std::uint32_t>(4096, {32, 0, 64, 64, 64, 64, 64, 64});
  call.Put<std::uint32_t>(0, {1}).Put<std::uint32_t>(32, {2});
  call.Numbers({"repeatTime", "dstBlkStride", "dstRepStride"}, {1, 2, 8});
  EXPECT_EQ(call.Plan()->reads[0].bytes, 32);
  EXPECT_EQ(call.Plan()->writes.size(), 8u);
  EXPECT_EQ(call.Plan()->mask.leaves, test::kAllLanes);
  call.Run();
  EXPECT_EQ(call.Get<std::uint32_t>(8192), 2u);
  EXPECT_EQ(call.Get<std::uint32_t>(8256), 1u);
}

/// What operands hold that their page does not allow.
std::string ContentsOf(Call& call) {
  const auto plan = call.Plan();
  if (!plan) return plan.error();
  std::string text;
  for (const auto& one : plan->contents) {
    text += std::string(isa::Name(one.operand)) + ": " + one.text;
  }
  return text;
}

TEST(Contents, OfOffsets) {
  Call call = Gathering("Gather");
  call.Put<std::uint32_t>(4096, {8, 0, 6, 7}).Count(2);
  EXPECT_EQ(ContentsOf(call), "");
  Call odd = Gathering("Gather");
  odd.Put<std::uint32_t>(4096, {8, 0, 6, 7}).Count(4);
  EXPECT_EQ(ContentsOf(odd),
            "offset: element 2 is 6; a multiple of 4 is needed");
  Call base = Gathering("Gather");
  EXPECT_EQ(base.Number("srcBaseAddr", 6).Count(1).OutOfRange(),
            "srcBaseAddr % 4");
  Call same = Gathering("Scatter");
  same.Put<std::uint32_t>(4096, {4, 0, 8, 4}).Count(4);
  EXPECT_EQ(
      ContentsOf(same),
      "offset: elements 0 and 3 are equal; each needs a place of its own");
  Call far = Of("Gather", LANEDIFF_HALF, {kDst, kSrc, kOffset});
  far.Put<std::uint32_t>(4096, {1u << 17}).Count(1);
  EXPECT_EQ(ContentsOf(far), "");
  far.On(isa::Product::kAtlas200i500A2);
  EXPECT_EQ(ContentsOf(far),
            "offset: element 0 is 131072; at most 131071 is needed");
}

TEST(Scatter, PutsBytesAtOffsets) {
  Call call = Gathering("Scatter");
  call.Put<std::uint32_t>(4096, {4, 0, 16}).Put<float>(0, {1, 2, 3});
  call.Number("dstBaseAddr", 8).Count(3);
  EXPECT_EQ(call.Touched(),
            "0 offset 4096+12 src 0+12 dst=8204+4 dst=8200+4 dst=8216+4");
  call.Run();
  EXPECT_EQ(call.Get<float>(8200, 5), (Floats{2, 1, 0, 0, 3}));
}

TEST(Progression, InStepsOfTheDifference) {
  Call call = Of("ArithProgression", LANEDIFF_INT16, {kDst});
  call.Scalar(LANEDIFF_INT16, 0x7fff);
  call.Number("diffValue", 2).Count(3).Run();
  EXPECT_EQ(call.Get<std::int16_t>(8192, 3),
            (std::vector<std::int16_t>{32767, 32767, 32767}));
  call.Saturation(false).Run();
  EXPECT_EQ(call.Get<std::int16_t>(8192, 3),
            (std::vector<std::int16_t>{32767, -32767, -32765}));
  Call floats = Of("ArithProgression", LANEDIFF_FLOAT, {kDst});
  floats.Scalar(LANEDIFF_FLOAT, std::bit_cast<std::uint32_t>(1.0f))
      .Number("diffValue", std::bit_cast<std::int32_t>(-0.5f));
  floats.Count(4).Run();
  EXPECT_EQ(floats.Get<float>(8192, 4), (Floats{1, 0.5, 0, -0.5}));
  EXPECT_TRUE(floats.Plan()->approximate);
  EXPECT_FALSE(call.Plan()->approximate);
  Call halves = Of("ArithProgression", LANEDIFF_HALF, {kDst});
  halves.Scalar(LANEDIFF_HALF, HalfOf(1));
  halves.Number("diffValue", HalfOf(0.25)).Count(3).Run();
  EXPECT_EQ(halves.Get<std::uint16_t>(8192, 3), Halves({1, 1.25, 1.5}));
  EXPECT_TRUE(halves.Plan()->approximate);
}

TEST(Transpose, SixteenBySixteen) {
  Call call = Unary("Transpose", LANEDIFF_UINT16);
  EXPECT_EQ(call.Touched(), "0 src 0+512 dst=8192+512");
  Call other("Transpose");
  other.Operand(kDst, LANEDIFF_FLOAT, 0).Operand(kSrc, LANEDIFF_FLOAT, 0);
  EXPECT_EQ(other.Refused(), "Transpose of float");
}

Call To5hd(std::uint8_t dtype, std::int64_t to, std::int64_t from) {
  Call call = Unary("TransDataTo5HD", dtype);
  for (std::int64_t i = 0; i < 16; ++i) {
    call.Number("dst" + std::to_string(i), i * to)
        .Number("src" + std::to_string(i), i * from);
  }
  return call;
}

TEST(TransDataTo5HD, SixteenBits) {
  Call call = To5hd(LANEDIFF_UINT16, 64, 128);
  call.Numbers({"repeatTimes", "dstRepStride", "srcRepStride"}, {2, 1, 1});
  const auto plan = call.Plan();
  ASSERT_EQ(plan->reads.size(), 32u);
  EXPECT_EQ(plan->reads[1].at, 128);
  EXPECT_EQ(plan->reads[16].at, 32);
  EXPECT_EQ(plan->writes[16].at, 8192 + 32);
  call.Put<std::uint16_t>(128 * 3, {100, 101, 102}).Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192 + 2 * 64, 4), (Bits{0, 0, 0, 102}));
  Call once = To5hd(LANEDIFF_UINT16, 64, 128);
  once.Numbers({"repeatTimes", "dstRepStride", "srcRepStride"}, {1, 1, 2});
  EXPECT_EQ(once.Plan()->reads[0].at, 64) << "a step away";
  EXPECT_EQ(once.Plan()->writes[0].at, 8192 + 32);
}

TEST(TransDataTo5HD, ThirtyTwoAndEightBits) {
  Call wide = To5hd(LANEDIFF_UINT32, 32, 32);
  wide.Number("repeatTimes", 1);
  EXPECT_EQ(wide.Touched(), "0 src 0+512 dst=8192+512");
  Words values(128);
  std::iota(values.begin(), values.end(), 0u);
  wide.Put(0, values).Run();
  const Words out = wide.Get<std::uint32_t>(8192, 128);
  EXPECT_EQ(out[1], 8u) << "element 0 of row 1";
  EXPECT_EQ(out[8], 64u) << "element 0 of row 8 begins the second block";
  EXPECT_EQ(out[16], 1u);
  Call bytes = To5hd(LANEDIFF_UINT8, 32, 32);
  bytes.Numbers({"repeatTimes", "dstHighHalf", "srcHighHalf"}, {1, 1, 0});
  bytes.Put<std::uint8_t>(64, {0, 9}).Run();
  EXPECT_EQ(bytes.Get<std::uint8_t>(8192 + 32 + 16, 3),
            (std::vector<std::uint8_t>{0, 0, 9}));
  EXPECT_EQ(bytes.Plan()->writes[0].bytes, 16);
}

}  // namespace
}  // namespace lanediff::kernel

// Cast of int4b_t, and of int32 by a scale: what cases don't have.

#include "kernel/carried/call_testing.h"
#include "kernel/carried/numbers.h"

namespace lanediff::kernel {
namespace {

using Bits = std::vector<std::uint16_t>;

Call Casting(std::uint8_t src, std::uint8_t dst, const char* mode) {
  Call call("Cast");
  call.Operand(kDst, dst, 8192).Operand(kSrc, src, 0).Word("roundMode", mode);
  return call;
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

TEST(Cast, RoundsToFourBitsByMode) {
  const auto by = [](const char* mode) {
    Call call = Casting(LANEDIFF_HALF, LANEDIFF_INT4, mode);
    call.Count(4).Put(0, Halves({1.5, -2.5, 0.25, -0.75})).Run();
    return call.Get<std::uint8_t>(8192, 2);
  };
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(by("CAST_RINT"), (Bytes{0xe2, 0xf0}));
  EXPECT_EQ(by("CAST_NONE"), by("CAST_RINT"));
  EXPECT_EQ(by("CAST_FLOOR"), (Bytes{0xd1, 0xf0}));
  EXPECT_EQ(by("CAST_CEIL"), (Bytes{0xe2, 0x01}));
  EXPECT_EQ(by("CAST_ROUND"), (Bytes{0xd2, 0xf0}));
  EXPECT_EQ(by("CAST_TRUNC"), (Bytes{0xe1, 0x00}));
}

TEST(Cast, TypesAndModesByProduct) {
  const auto refused = [](std::uint8_t src, std::uint8_t dst, const char* mode,
                          isa::Product product = isa::Product::kAtlasA2) {
    Call call = Casting(src, dst, mode);
    return call.Count(2).On(product).Refused();
  };
  EXPECT_EQ(refused(LANEDIFF_INT4, LANEDIFF_BFLOAT16, "CAST_NONE"),
            "Cast from int4b_t to bfloat16_t with CAST_NONE");
  EXPECT_EQ(refused(LANEDIFF_HALF, LANEDIFF_INT4, "CAST_ODD"),
            "Cast from half to int4b_t with CAST_ODD");
  EXPECT_EQ(refused(LANEDIFF_HALF, LANEDIFF_INT4, "CAST_HYBRID"),
            "Cast from half to int4b_t with CAST_HYBRID");
  EXPECT_EQ(refused(LANEDIFF_HALF, LANEDIFF_INT4, "CAST_RINT",
                    isa::Product::kAtlasInferenceAicore),
            "Cast from half to int4b_t with CAST_RINT");
  EXPECT_EQ(refused(LANEDIFF_HALF, LANEDIFF_INT4, "CAST_NONE",
                    isa::Product::kAtlasInferenceAicore),
            "");
  EXPECT_EQ(refused(LANEDIFF_INT4, LANEDIFF_HALF, "CAST_NONE",
                    isa::Product::kAtlas200i500A2),
            "Cast from int4b_t to half with CAST_NONE");
  EXPECT_EQ(refused(LANEDIFF_INT32, LANEDIFF_HALF, "CAST_NONE",
                    isa::Product::kAtlasTraining),
            "Cast from int32_t to half with CAST_NONE");
}

}  // namespace
}  // namespace lanediff::kernel

// Sorting and merging: which record comes first, and where it goes.

#include <limits>
#include <numeric>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;
using Bits = std::vector<std::uint16_t>;
using Words = std::vector<std::uint32_t>;

// -------------------------------------------------------------------

struct Pair {
  float score;
  std::uint32_t index;
  bool operator==(const Pair&) const = default;
};

Call Sorting(const char* name) {
  Call call(name);
  call.Operand(kDst, LANEDIFF_FLOAT, 8192)
      .Operand(kSrc0, LANEDIFF_FLOAT, 0)
      .Operand(kSrc1, LANEDIFF_UINT32, 4096);
  return call;
}

TEST(Sort32, LargestFirstAndOfEqualOnesTheEarlier) {
  Call call = Sorting("Sort32");
  call.Number("repeatTime", 2);
  EXPECT_EQ(call.Touched(),
            "0 src0 0+128 src1 4096+128 dst=8192+256; "
            "1 src0 128+128 src1 4224+128 dst=8448+256");
  Floats scores(64, 0);
  scores[3] = 5;
  scores[9] = 7;
  scores[20] = 5;
  scores[40] = 1;
  constexpr std::uint32_t kFirst = 0x0a0b0c00;  // all bytes of an index count
  Words indices(64);
  std::iota(indices.begin(), indices.end(), kFirst);
  call.Put(0, scores).Put(4096, indices).Run();
  const auto out = call.Get<Pair>(8192, 64);
  EXPECT_EQ(out[0], (Pair{7, kFirst + 9}));
  EXPECT_EQ(out[1], (Pair{5, kFirst + 3}));
  EXPECT_EQ(out[2], (Pair{5, kFirst + 20}));
  EXPECT_EQ(out[3], (Pair{0, kFirst}));
  EXPECT_EQ(out[32], (Pair{1, kFirst + 40}));
}

TEST(Sort, AllTogether) {
  Call call = Sorting("Sort");
  call.Operand(kTmp, LANEDIFF_FLOAT, 16384);
  call.Number("repeatTime", 2).Number("isFullSort", 1);
  EXPECT_EQ(call.Touched(),
            "0 src0 0+256 src1 4096+256 tmp=16384+512 dst=8192+512");
  Floats scores(64);
  std::iota(scores.begin(), scores.end(), 0.0f);
  Words indices(64);
  std::iota(indices.begin(), indices.end(), 0u);
  call.Put(0, scores).Put(4096, indices).Run();
  const auto out = call.Get<Pair>(8192, 64);
  EXPECT_EQ(out[0], (Pair{63, 63}));
  EXPECT_EQ(out[63], (Pair{0, 0}));
}

TEST(Sort, LeavesAWorkTensorThatItDoesNotNeedAsFarAsItGoes) {
  Call call = Sorting("Sort");
  call.Operand(kTmp, LANEDIFF_FLOAT, 16384);
  call.call.operands.back().window = 96;
  call.Number("repeatTime", 2).Number("isFullSort", 0);
  EXPECT_EQ(call.Touched(),
            "0 src0 0+128 src1 4096+128 tmp=16384+96 dst=8192+256; "
            "1 src0 128+128 src1 4224+128 dst=8448+256");
  EXPECT_FALSE(call.Plan()->cut);
  call.Put<std::uint32_t>(16384 + 92, {0, 0}).Run();
  EXPECT_EQ(call.Get<std::uint32_t>(16384 + 92, 2), (Words{~0u, 0}));
}

TEST(Sort, HalvesLeaveTwoBytesBetween) {
  Call call = Of("Sort32", LANEDIFF_HALF, {kDst, kSrc0});
  call.Operand(kSrc1, LANEDIFF_UINT32, 4096).Number("repeatTime", 1);
  EXPECT_EQ(call.Touched(), "0 src0 0+64 src1 4096+128 dst=8192+256");
  call.Put(0, Halves({1, 2})).Put<std::uint32_t>(4096, {0x10001, 0x20002});
  call.Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 4), (Bits{HalfOf(2), 0, 2, 2}));
}

TEST(Extract, TakesScoresAndIndicesApart) {
  Call call("Extract");
  call.Operand(kDst, LANEDIFF_FLOAT, 8192)
      .Operand(kDst1, LANEDIFF_UINT32, 12288)
      .Operand(kSrc, LANEDIFF_FLOAT, 0);
  call.Number("repeatTime", 1);
  EXPECT_EQ(call.Plan()->writes.size(), 2u);
  EXPECT_EQ(call.Plan()->writes[0].bytes, 128);
  EXPECT_EQ(call.Plan()->writes[1].bytes, 128);
  call.Put<Pair>(0, {{7, 70}, {5, 50}}).Run();
  EXPECT_EQ(call.Get<float>(8192, 2), (Floats{7, 5}));
  EXPECT_EQ(call.Get<std::uint32_t>(12288, 2), (Words{70, 50}));
}

Call Merging(std::initializer_list<std::int64_t> lengths) {
  Call call = Of("MrgSort", LANEDIFF_FLOAT, {kDst});
  const isa::OperandName names[] = {kSrc0, kSrc1, kSrc2, kSrc3};
  std::int64_t at = 0;
  std::size_t i = 0;
  for (const std::int64_t length : lengths) {
    call.Operand(names[i], LANEDIFF_FLOAT, at)
        .Number("elementLengths" + std::to_string(i), length);
    at += length * 8;
    ++i;
  }
  call.Number("validBit", (1 << i) - 1);
  return call;
}

TEST(MrgSort, TakesTheLargestHead) {
  Call call = Merging({2, 3});
  EXPECT_EQ(call.Touched(), "0 src0 0+16 src1 16+24 dst=8192+40");
  EXPECT_EQ(call.Plan()->align[1], 8);
  EXPECT_EQ(call.Plan()->align[0], std::nullopt);
  call.Put<Pair>(0, {{9, 1}, {4, 2}, {9, 3}, {5, 4}, {1, 5}}).Run();
  EXPECT_EQ(call.Get<Pair>(8192, 5),
            (std::vector<Pair>{{9, 1}, {9, 3}, {5, 4}, {4, 2}, {1, 5}}));
}

TEST(MrgSort, SuspendsWhenAQueueIsEmpty) {
  Call call = Merging({2, 3});
  call.Number("ifExhaustedSuspension", 1);
  call.Put<Pair>(0, {{9, 1}, {4, 2}, {9, 3}, {5, 4}, {1, 5}});
  EXPECT_EQ(call.Touched(), "0 src0 0+16 src1 16+24 dst=8192+32");
  EXPECT_EQ(call.Run(), 2 | 2 << 16) << "how many of each";
  EXPECT_EQ(call.Get<Pair>(8192, 5),
            (std::vector<Pair>{{9, 1}, {9, 3}, {5, 4}, {4, 2}, {0, 0}}));
}

TEST(MrgSort, LeavesHowManyInARegister) {
  Call read("GetMrgSortResult");
  const std::string refused =
      "no MrgSort with ifExhaustedSuspension was before it";
  EXPECT_EQ(read.Refused(), refused);
  Call call = Merging({2, 3});
  call.Number("ifExhaustedSuspension", 1);
  call.Put<Pair>(0, {{9, 1}, {4, 2}, {9, 3}, {5, 4}, {1, 5}}).Run();
  read.call.state = call.call.state;
  EXPECT_EQ(read.Run(), 2 | 2 << 16);
  Call whole = Merging({1, 1});
  whole.call.state = call.call.state;
  whole.Put<Pair>(0, {{9, 1}, {4, 2}}).Run();
  read.call.state = whole.call.state;
  EXPECT_EQ(read.Refused(), refused);
}

TEST(MrgSort, RepeatsOnlyFourEqualQueuesInARow) {
  Call four = Merging({1, 1, 1, 1});
  four.Number("repeatTimes", 2);
  EXPECT_EQ(four.Touched(),
            "0 src0 0+8 src1 8+8 src2 16+8 src3 24+8 dst=8192+32; "
            "1 src0 32+8 src1 40+8 src2 48+8 src3 56+8 dst=8224+32");
  four.Put<Pair>(32, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}).Run();
  EXPECT_EQ(four.Get<Pair>(8224, 1)[0].score, 4);
  Call uneven = Merging({1, 1, 1, 2});
  uneven.Number("repeatTimes", 2);
  EXPECT_EQ(uneven.Plan()->writes.size(), 1u);
  EXPECT_EQ(Merging({4096, 1}).OutOfRange(), "elementLengths0");
  Call three = Merging({1, 1, 1});
  EXPECT_EQ(three.Number("repeatTimes", 2).Plan()->writes.size(), 1u);
  Call suspended = Merging({1, 1, 1, 1});
  suspended.Number("repeatTimes", 2).Number("ifExhaustedSuspension", 1);
  EXPECT_EQ(suspended.Plan()->writes.size(), 1u);
  Call apart = Merging({1, 1, 1, 1});
  apart.call.operands[4].at += 8;
  EXPECT_EQ(apart.Number("repeatTimes", 2).Plan()->writes.size(), 1u);
  Call none = Merging({1, 1});
  EXPECT_EQ(none.Number("repeatTimes", 0).Touched(), "") << "0 does nothing";
}

TEST(MrgSort, HalvesLeaveTwoBytesBetween) {
  Call call("MrgSort");
  call.Operand(kDst, LANEDIFF_HALF, 8192)
      .Operand(kSrc0, LANEDIFF_HALF, 0)
      .Operand(kSrc1, LANEDIFF_HALF, 8);
  call.Numbers({"elementLengths0", "elementLengths1", "validBit"}, {1, 1, 3});
  call.Put<std::uint16_t>(
      0, {HalfOf(2), 0, 0x1111, 0x2222, HalfOf(3), 0, 0x3333, 0x4444});
  EXPECT_EQ(call.Touched(), "0 src0 0+8 src1 8+8 dst=8192+16");
  call.Run();
  EXPECT_EQ(call.Get<std::uint16_t>(8192, 8),
            (Bits{HalfOf(3), 0, 0x3333, 0x4444, HalfOf(2), 0, 0x1111, 0x2222}));
  Call other = Of("MrgSort", LANEDIFF_INT16, {kDst});
  EXPECT_EQ(other.Refused(), "MrgSort of int16_t");
}

TEST(MrgSort, ValidBitIsOneOfThree) {
  Call five = Of("MrgSort", LANEDIFF_FLOAT, {kDst, kSrc0});
  five.Operand(kSrc1, LANEDIFF_FLOAT, 16).Number("validBit", 5);
  EXPECT_EQ(five.OutOfRange(), "validBit (3, 7, 15)");
  for (const std::int64_t beyond : {1, 31}) {
    Call call = Of("MrgSort", LANEDIFF_FLOAT, {kDst, kSrc0});
    call.Operand(kSrc1, LANEDIFF_FLOAT, 16).Operand(kSrc2, LANEDIFF_FLOAT, 32);
    call.Operand(kSrc3, LANEDIFF_FLOAT, 48).Number("validBit", beyond);
    EXPECT_EQ(call.OutOfRange(), "validBit (3, 7, 15)") << beyond;
  }
  EXPECT_EQ(Merging({1, 1, 1}).OutOfRange(), "");
}

TEST(MrgSort, QueuesAreSorted) {
  Call call = Merging({2, 3});
  call.Put<Pair>(0, {{9, 1}, {4, 2}, {9, 3}, {9, 4}, {1, 5}});
  EXPECT_TRUE(call.Plan()->contents.empty()) << "equal ones are sorted";
  call.Put<Pair>(24, {{5, 4}, {6, 5}});
  ASSERT_EQ(call.Plan()->contents.size(), 1u);
  EXPECT_EQ(call.Plan()->contents[0].text, "score 2 is larger than score 1");
  EXPECT_TRUE(call.Plan()->contents[0].open);
  EXPECT_TRUE(call.Plan()->approximate);
  call.Put<float>(24, {std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(call.Plan()->contents[0].text, "score 1 is NaN");
  call.call.operands[2].unwritten = {{8, 24}};
  EXPECT_TRUE(call.Plan()->contents.empty()) << "nothing has written them";
}

TEST(MrgSort, ReadsNothingOfAQueueOutsideOfItsMemory) {
  Call call = Merging({2, 3});
  call.Number("ifExhaustedSuspension", 1);
  call.call.operands[1].at = -4096;
  call.call.operands[1].bytes = nullptr;
  call.call.operands[1].window = call.call.operands[1].readable = 0;
  EXPECT_TRUE(call.Plan()->cut);
  EXPECT_EQ(call.Touched(), "0 src0 -4096+16 src1 16+24");
}

TEST(Proposals, FieldsAndOrder) {
  Call concat = Unary("ProposalConcat", LANEDIFF_HALF);
  concat.Number("repeatTime", 1).Number("modeNumber", 4);
  EXPECT_EQ(concat.Plan()->reads.size(), 1u);
  ASSERT_EQ(concat.Plan()->writes.size(), 16u);
  EXPECT_EQ(concat.Plan()->writes[1].at, 8192 + 16 + 8);
  concat.Put(0, Halves({1, 3, 2})).Run();
  EXPECT_EQ(concat.Get<std::uint16_t>(8192 + 24), HalfOf(3));

  Call sort = Unary("RpSort16", LANEDIFF_HALF);
  sort.Number("repeatTime", 1).On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(sort.Touched(), "0 src 0+256 dst=8192+256");
  sort.Put(16, Halves({7, 0, 0, 0, 5})).Run();
  EXPECT_EQ(sort.Get<std::uint16_t>(8192, 5), Halves({7, 0, 0, 0, 5}));

  Call extract = Unary("ProposalExtract", LANEDIFF_HALF);
  extract.Number("repeatTime", 1).Number("modeNumber", 4);
  extract.Put(16, Halves({7, 0, 0, 0, 5})).Run();
  EXPECT_EQ(extract.Get<std::uint16_t>(8192, 2), Halves({0, 5}));
  EXPECT_EQ(extract.Number("modeNumber", 6).OutOfRange(), "")
      << "the first of a name counts";
  Call six = Unary("ProposalExtract", LANEDIFF_HALF);
  EXPECT_EQ(six.Number("modeNumber", 6).OutOfRange(), "modeNumber");
}

TEST(Proposals, ConcatIsItsSourceOnA2) {
  EXPECT_EQ(Call("Concat").Touched(), "");
  Call source("Concat");
  source.Operand(kSrc, LANEDIFF_HALF, 0).Operand(kTmp, LANEDIFF_HALF, 8192);
  source.Number("repeatTime", 2);
  EXPECT_EQ(source.Touched(), "0 tmp=8192+64");
  source.Put<std::uint32_t>(8192 + 60, {0, 0}).Run();
  EXPECT_EQ(source.Get<std::uint32_t>(8192 + 60, 2), (Words{~0u, 0}));
  Call call = Unary("Concat", LANEDIFF_HALF);
  call.Number("repeatTime", 1).On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(call.Plan()->writes.size(), 16u);
  call.Operand(kTmp, LANEDIFF_HALF, 16384);
  ASSERT_EQ(call.Plan()->writes.size(), 17u);
  EXPECT_EQ(call.Plan()->writes[0].at, 16384);
  EXPECT_EQ(call.Plan()->writes[0].bytes, 256);
  Call in_place = Unary("Concat", LANEDIFF_HALF);
  in_place.Operand(kTmp, LANEDIFF_HALF, 8192).Number("repeatTime", 1);
  in_place.On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(in_place.Plan()->writes.size(), 16u) << "the result lies there";
}

}  // namespace
}  // namespace lanediff::kernel

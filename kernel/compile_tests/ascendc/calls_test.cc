#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/compile_tests/ascendc/in_a_header.h"
#include "kernel/compile_tests/recorder.h"
#include "kernel_operator.h"

/// What the headers hand to the library: everything that was written, and
/// where.
namespace lanediff::recorder {
namespace {

using namespace AscendC;

using Lines = std::vector<std::string>;

template <typename T>
LocalTensor<T> At(std::int64_t at, std::int64_t bytes) {
  return LocalTensor<T>(lanediff_tensor{static_cast<std::uint64_t>(at), bytes,
                                        -1, LANEDIFF_VECCALC, 1});
}

/// The only line since the last one, without its place.
std::string Only() {
  const Lines lines = Take();
  if (lines.size() != 1) return fmt::format("{} lines", lines.size());
  return lines[0].substr(lines[0].find(' ') + 1);
}

TEST(HeadersOfAscendC, CountAndMaskedFormsAreTakenApart) {
  Take();
  const auto a = At<half>(0, 1024);
  Add(a, a, a, 512);
  EXPECT_EQ(Only(),
            "dst=half@0+1024/-1:11 src0=half@0+1024/-1:11 "
            "src1=half@0+1024/-1:11 count=512 form=count");
  Min(a, a, a, 128, 4, {1, 1, 1, 8, 0, 8});
  const std::string operands =
      "dst=half@0+1024/-1:11 src0=half@0+1024/-1:11 src1=half@0+1024/-1:11 ";
  const std::string strides =
      "dstBlkStride=1 src0BlkStride=1 src1BlkStride=1 dstRepStride=8 "
      "src0RepStride=0 src1RepStride=8 ";
  EXPECT_EQ(Only(),
            operands + "repeatTime=4 " + strides + "form=len mask=80,0");
  const std::uint64_t bits[2] = {~0ULL, 5};
  Min(a, a, a, bits, 4, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Only(), operands + "repeatTime=4 " + strides +
                        "form=bits mask=ffffffffffffffff,5");
  const std::uint64_t* pointer = bits;
  Min<half, false>(a, a, a, pointer, 4, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Only(), operands + "repeatTime=4 " + strides +
                        "form=bits mask=ffffffffffffffff,5 register");
  const std::uint64_t one[1] = {3};
  Min(a, a, a, one, 4, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Only(),
            operands + "repeatTime=4 " + strides + "form=bits mask=3,0");
  Min<half, false>(a, a, a, MASK_PLACEHOLDER, 4, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Only(), operands + "repeatTime=4 " + strides +
                        "form=len mask=0,0 register");
  Min(a, a, a, 0, 4, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Only(), operands + "repeatTime=4 " + strides + "form=len mask=0,0");
}

TEST(HeadersOfAscendC, PointersToFunctionsCallThemWithoutAPlace) {
  Take();
  const auto a = At<half>(0, 1024);
  void (*sub)(const LocalTensor<half>&, const LocalTensor<half>&,
              const LocalTensor<half>&, uint64_t, const uint8_t,
              const BinaryRepeatParams&) = Sub<half, false>;
  sub(a, a, a, 0, 4, {1, 1, 1, 8, 0, 8});
  const Lines lines = Take();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            "Sub:0 dst=half@0+1024/-1:11 src0=half@0+1024/-1:11 "
            "src1=half@0+1024/-1:11 repeatTime=4 dstBlkStride=1 "
            "src0BlkStride=1 src1BlkStride=1 dstRepStride=8 src0RepStride=0 "
            "src1RepStride=8 form=len mask=0,0 register");
  void (*muls)(const LocalTensor<half>&, const LocalTensor<half>&, const half&,
               const int32_t&) = Muls;
  muls(a, a, half(2), 64);
  EXPECT_EQ(Only(),
            "dst=half@0+1024/-1:11 src=half@0+1024/-1:11 count=64 "
            "form=count scalar=half:4000");
}

TEST(HeadersOfAscendC, NumbersKeep64Bits) {
  Take();
  const auto a = At<float>(0, 1024);
  enum class Repeat : std::uint16_t { kMany = 256 };
  UnaryRepeatParams params;
  params.dstBlkStride = 65537;
  params.srcRepStride = -1;
  Abs(a, a, 1ULL << 40, Repeat::kMany, params);
  EXPECT_EQ(Only(),
            "dst=float@0+1024/-1:11 src=float@0+1024/-1:11 repeatTime=256 "
            "dstBlkStride=65537 srcBlkStride=1 dstRepStride=8 srcRepStride=-1 "
            "form=len mask=10000000000,0");
  RepeatReduceSum(a, a, 256, 64, 1LL << 33, 1, 1, 8);
  EXPECT_EQ(Only(),
            "dst=float@0+1024/-1:11 src=float@0+1024/-1:11 repeat=256 "
            "elemsInOneRepeat=64 dstBlkStride=8589934592 srcBlkStride=1 "
            "dstRepStride=1 srcRepStride=8 form=len mask=40,0");
  DataCopyParams copy{4096, 65536, -1, 70000};
  DataCopy(a, At<float>(64, 32), copy);
  EXPECT_EQ(Only(),
            "dst=float@0+1024/-1:11 src=float@64+32/-1:11 blockCount=4096 "
            "blockLen=65536 srcGap=-1 dstGap=70000 form=plain");
}

TEST(HeadersOfAscendC, ScalarsHaveTheTensorsType) {
  Take();
  const auto a = At<half>(0, 64);
  Adds(a, a, 0.5, 32);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 count=32 form=count "
            "scalar=half:3800");
  Duplicate(At<std::int16_t>(0, 64), -1, 32);
  EXPECT_EQ(Only(),
            "dst=int16@0+64/-1:11 count=32 form=count "
            "scalar=int16:ffff");
  Axpy(At<float>(0, 64), a, 1, 16);
  EXPECT_EQ(Only(),
            "dst=float@0+64/-1:11 src=half@0+64/-1:11 count=16 form=count "
            "scalar=half:3c00");
  Muls<half, false>(a, a, 2, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 repeatTime=1 "
            "dstBlkStride=1 srcBlkStride=1 dstRepStride=8 srcRepStride=8 "
            "form=len mask=0,0 register scalar=half:4000");
  Muls<half, false>(a, a, 2, 32);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 count=32 form=count "
            "register scalar=half:4000");
}

TEST(HeadersOfAscendC, CopiesWithPaddingNameTheirStruct) {
  Take();
  GlobalTensor<half> gm;
  half host[64];
  gm.SetGlobalBuffer(host, 64);
  const auto at = reinterpret_cast<std::uintptr_t>(host);
  const auto a = At<half>(0, 64);
  DataCopyPad(a, gm[2], {1, 6, 0, 0, 0}, {true, 1, 2, -2});
  EXPECT_EQ(Only(),
            fmt::format("dst=half@0+64/-1:11 src=half@{}+-4/124:0 blockCount=1 "
                        "blockLen=6 srcStride=0 dstStride=0 isPad=1 "
                        "leftPadding=1 rightPadding=2 paddingValue=49152 "
                        "form=plain",
                        at + 4));
  DataCopyPad(gm, a, DataCopyParams{1, 6, 0, 3});
  EXPECT_EQ(Only(), fmt::format("dst=half@{}+0/128:0 src=half@0+64/-1:11 "
                                "params=DataCopyParams blockCount=1 blockLen=6 "
                                "srcStride=0 dstStride=3 form=plain",
                                at));
}

TEST(HeadersOfAscendC, WordsAreWrittenOut) {
  Take();
  const auto h = At<half>(0, 64);
  const auto b = At<std::uint8_t>(0, 64);
  Cast(h, At<float>(0, 64), RoundMode::CAST_ODD, 16);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=float@0+64/-1:11 roundMode=CAST_ODD "
            "count=16 form=count");
  Compare(b, h, h, CMPMODE::NE, 16);
  EXPECT_EQ(Only(),
            "dst=uint8@0+64/-1:11 src0=half@0+64/-1:11 src1=half@0+64/-1:11 "
            "cmpMode=NE count=16 form=count");
  Select(h, b, h, 1.0, SELMODE::VSEL_TENSOR_SCALAR_MODE, 16);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 mask=uint8@0+64/-1:11 src0=half@0+64/-1:11 "
            "selMode=VSEL_TENSOR_SCALAR_MODE count=16 form=count "
            "scalar=half:3c00");
  WholeReduceMax(h, h, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 repeatTime=1 "
            "dstRepStride=1 srcBlkStride=1 srcRepStride=8 "
            "order=ORDER_ONLY_INDEX form=len mask=40,0");
  BlockReduceSum(h, h, 2, 64, 1, 1, 8);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 repeatTime=2 "
            "dstRepStride=1 srcBlkStride=1 srcRepStride=8 form=len mask=40,0");
  ReduceRepeat<ReduceType::SUM>(h, h, 64, 1, 1, 1, 8);
  const Lines newer = Take();
  EXPECT_TRUE(newer.at(0).starts_with("WholeReduceSum:")) << newer[0];
  ReduceDataBlock<ReduceType::MAX>(h, h, 64, 1, 1, 1, 8);
  ReduceDataBlock<ReduceType::MIN>(h, h, 64, 1, 1, 1, 8);
  ReduceDataBlock<ReduceType::SUM>(h, h, 64, 1, 1, 1, 8);
  ReducePairElem<ReduceType::SUM>(h, h, 64, 1, 1, 1, 8);
  const Lines groups = Take();
  EXPECT_TRUE(groups.at(0).starts_with("BlockReduceMax:")) << groups[0];
  EXPECT_TRUE(groups.at(1).starts_with("BlockReduceMin:")) << groups[1];
  EXPECT_TRUE(groups.at(2).starts_with("BlockReduceSum:")) << groups[2];
  EXPECT_TRUE(groups.at(3).starts_with("PairReduceSum:")) << groups[3];
  // A number that is no enumerator stays a number.
  Cast(h, h, static_cast<RoundMode>(77), 16);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src=half@0+64/-1:11 roundMode=77 count=16 "
            "form=count");
}

TEST(HeadersOfAscendC, WhatCallsGiveBackArrives) {
  Take();
  const auto h = At<half>(0, 64);
  std::uint64_t count = 0;
  WillReturn(5);
  GatherMask(h, h, 2, false, 0, {1, 1, 8, 8}, count);
  EXPECT_EQ(count, 5U);
  const std::uint16_t lengths[4] = {1, 2, 3, 4};
  std::uint32_t sorted[4] = {9, 9, 9, 9};
  WillReturn(0x0004'0003'0002'0001);
  MrgSort(h, MrgSortSrcList<half>(h, h, h, h), lengths, sorted, 7, 1);
  EXPECT_EQ(sorted[0], 9U);
  Take();
  MrgSort<half, true>(h, MrgSortSrcList<half>(h, h, h, h), lengths, sorted, 7,
                      1);
  EXPECT_EQ(sorted[0], 1U);
  EXPECT_EQ(sorted[3], 4U);
  EXPECT_EQ(Only(),
            "dst=half@0+64/-1:11 src0=half@0+64/-1:11 src1=half@0+64/-1:11 "
            "src2=half@0+64/-1:11 sortedNum=counts elementLengths0=1 "
            "elementLengths1=2 "
            "elementLengths2=3 elementLengths3=4 ifExhaustedSuspension=1 "
            "validBit=7 repeatTimes=1 form=plain");
  WillReturn(0);
}

TEST(HeadersOfAscendC, SixteenTensorsAreOneOperand) {
  Take();
  LocalTensor<half> dst[16];
  LocalTensor<half> src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = At<half>(1024 - 64 * i, 512 + 64 * i);
    src[i] = At<half>(4096 + 32 * i, 512 - 32 * i);
  }
  TransDataTo5HD<half>(dst, src, TransDataTo5HDParams(true, false, 2, 16, 1));
  const std::string line = Only();
  EXPECT_TRUE(line.starts_with(
      "dst=half@64+1472/-1:11 src=half@4096+512/-1:11 dst0=960 dst1=896 "))
      << line;
  EXPECT_NE(line.find(" dst15=0 src0=0 src1=32 "), std::string::npos) << line;
  EXPECT_TRUE(
      line.ends_with(" src15=480 dstHighHalf=1 srcHighHalf=0 "
                     "repeatTimes=2 dstRepStride=16 srcRepStride=1 "
                     "form=plain"))
      << line;
}

TEST(HeadersOfAscendC, AddressesOfSixteenTensorsAreTensorsAgain) {
  Take();
  std::uint64_t dst[16];
  std::uint64_t src[16];
  for (std::uint64_t i = 0; i < 16; ++i) {
    dst[i] = 64 * i;
    src[i] = 4096 + 32 * i;
  }
  TransDataTo5HD<half>(dst, src, TransDataTo5HDParams(true, false, 2, 16, 1));
  EXPECT_TRUE(Only().starts_with(
      "dst=half@0+992/-1:19 src=half@4096+512/-1:19 dst0=0 dst1=64 "));
}

TEST(HeadersOfAscendC, OperatorsAreCallsOfAllElements) {
  Take();
  LocalTensor<half> d = At<half>(0, 1024);
  d.SetSize(128);
  const LocalTensor<half> a = At<half>(1024, 256);
  const std::string of =
      "dst=half@0+1024/256:11 src0=half@1024+256/-1:11 "
      "src1=half@1024+256/-1:11 count=128 form=count";
  d = a / a;
  EXPECT_EQ(Only(), of);
  d = a | a;
  EXPECT_EQ(Only(), of);
  LocalTensor<std::int32_t> word = At<std::int32_t>(0, 256);
  word = word & word;
  EXPECT_EQ(Only(),
            "dst=int32@0+256/-1:11 src0=int32@0+256/-1:11 "
            "src1=int32@0+256/-1:11 count=128 form=count")
      << "of 16 bits";
  LocalTensor<std::uint8_t> flags = At<std::uint8_t>(0, 1024);
  const auto compared = [&](const char* mode) {
    return fmt::format(
        "dst=uint8@0+1024/-1:11 src0=half@1024+256/-1:11 "
        "src1=half@1024+256/-1:11 cmpMode={} form=operator count=128 "
        "form=count",
        mode);
  };
  flags = a < a;
  EXPECT_EQ(Only(), compared("LT"));
  flags = a > a;
  EXPECT_EQ(Only(), compared("GT"));
  flags = a <= a;
  EXPECT_EQ(Only(), compared("LE"));
  flags = a >= a;
  EXPECT_EQ(Only(), compared("GE"));
  flags = a == a;
  EXPECT_EQ(Only(), compared("EQ"));
  flags = a != a;
  EXPECT_EQ(Only(), compared("NE"));
}

TEST(HeadersOfAscendC, RegistersAreReadAsNumbers) {
  Take();
  WillReturn(0x3c00);
  EXPECT_EQ(static_cast<float>(GetReduceRepeatSumSpr<half>()), 1.0f);
  EXPECT_EQ(Only(), "form=plain scalar=half:0");
  WillReturn(0x0004'0003'0002'0001);
  std::uint16_t counts[4];
  GetMrgSortResult(counts[0], counts[1], counts[2], counts[3]);
  EXPECT_EQ(counts[0], 1);
  EXPECT_EQ(counts[1], 2);
  EXPECT_EQ(counts[2], 3);
  EXPECT_EQ(counts[3], 4);
  WillReturn(0);
}

TEST(HeadersOfAscendC, StateIsReported) {
  Take();
  PipeBarrier<PIPE_MTE3>();
  EXPECT_EQ(Only(), "pipe=MTE3");
  SetFlag<HardEvent::MTE2_V>(256);
  EXPECT_EQ(Only(), "event=MTE2_V id=256");
  WaitFlag<HardEvent::FIX_S>(EVENT_ID7);
  EXPECT_EQ(Only(), "event=FIX_S id=7");
  SetVectorMask<half>(1, ~0ULL);
  EXPECT_EQ(Only(), "high=1 low=-1 mode=NORMAL dtype=8");
  SetVectorMask<float, MaskMode::COUNTER>(100);
  EXPECT_EQ(Only(), "len=100 mode=COUNTER dtype=10");
  SetAtomicMax<std::int32_t>();
  EXPECT_EQ(Only(), "operation=max dtype=4");
  SetCtrlSpr<48, 49>(3);
  EXPECT_EQ(Only(), "low=48 high=49 value=3");
  const std::int64_t bits = GetCtrlSpr<48, 49>();
  EXPECT_EQ(bits, 48 + 100 * 49);
  SetSaturationFlag<SaturationMode::FLOAT>(false);
  EXPECT_EQ(Only(), "low=48 high=48 value=1");
  SetSaturationFlag<SaturationMode::FLOAT>(true);
  EXPECT_EQ(Only(), "low=48 high=48 value=0");
  EXPECT_FALSE(GetSaturationFlag<SaturationMode::FLOAT>()) << "CTRL is not 0";
  EXPECT_TRUE(GetSaturationFlag<SaturationMode::CAST>());
  Take();
  SetSaturationFlag<SaturationMode::CAST>(true);
  EXPECT_TRUE(Take().empty());
  SetSaturationFlag<SaturationMode::CAST>(false);
  EXPECT_EQ(Only(), "SetSaturationFlag (conversions that truncate)");
  SetPadValue(half(1));
  EXPECT_EQ(Only(), "paddingValue=15360 dtype=8");
  SetDeqScale(half(1));
  EXPECT_EQ(Only(), "scale=15360 dtype=8");
}

TEST(HeadersOfAscendC, PlacesAreThoseOfTheCalls) {
  Take();
  const auto a = At<half>(0, 64);
  PipeBarrier<PIPE_V>(), Add(a, a, a, 1);
  const int line = __LINE__ - 1;
  Lines lines = Take();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with(fmt::format("PipeBarrier:{} ", line)))
      << lines[0];
  EXPECT_TRUE(lines[1].starts_with(fmt::format("Add:{} ", line))) << lines[1];

  TPipe pipe;
  const int declared = __LINE__ - 1;
  in_a_header::Kernel<half>().Compute(a, GlobalTensor<half>(), 1);
  lines = Take();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], fmt::format("TPipe:{}", declared));
  const int first = in_a_header::kFirst;
  EXPECT_TRUE(lines[1].starts_with(fmt::format("DataCopy:{} ", first)))
      << lines[1];
  EXPECT_TRUE(lines[2].starts_with(fmt::format("Adds:{} ", first + 1)))
      << lines[2];
  EXPECT_TRUE(lines[3].starts_with(fmt::format("GetValue:{} ", first + 3)));
  EXPECT_TRUE(lines[4].starts_with(fmt::format("SetValue:{} ", first + 3)));
}

TEST(HeadersOfAscendC, RefusedCallsSayWhatAndWhere) {
  Take();
  const auto a = At<half>(0, 64);
  const int line = __LINE__ + 1;
  CrossCoreSetFlag<2, PIPE_MTE3>(1);
  Mmad(a, a, a, 64);
  DataCopy(a, a, Nd2NzParams());
  REGIST_MATMUL_OBJ(1, 2);
  EXPECT_EQ(
      Take(),
      (Lines{fmt::format("refused:{} CrossCoreSetFlag (synchronization between "
                         "cores)",
                         line),
             fmt::format("refused:{} Mmad (matrix products)", line + 1),
             fmt::format("refused:{} DataCopy with Nd2NzParams (copies that "
                         "reorder or convert)",
                         line + 2),
             fmt::format("refused:{} REGIST_MATMUL_OBJ (matrix products)",
                         line + 3)}));
}

}  // namespace
}  // namespace lanediff::recorder
